import tempfile
import unittest

from report import warmest
from sensors import read


class ReadTest(unittest.TestCase):
    def test_read(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
            f.write("north,06:00,50\nsouth,06:00,212\n")
            f.flush()
            rows = read(f.name)
        self.assertEqual([round(row.celsius, 6) for row in rows], [10, 100])
        self.assertEqual(warmest(rows), "south 06:00 100.0")
