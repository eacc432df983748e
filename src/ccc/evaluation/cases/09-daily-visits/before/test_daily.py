import os
import time
import unittest

from daily import count


class DailyTest(unittest.TestCase):
    def setUp(self):
        os.environ["TZ"] = "UTC"
        time.tzset()

    def test_count(self):
        self.assertEqual(count(["1709251200\n", "1709337599\n", "\n", "1709337600\n"]), {"2024-03-01": 2, "2024-03-02": 1})


if __name__ == "__main__":
    unittest.main()
