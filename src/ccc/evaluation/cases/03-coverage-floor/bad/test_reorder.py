import unittest

from shelf import reorder


class ReorderTest(unittest.TestCase):
    minimum = {"glue": 2, "nails": 100, "tape": 1}

    def test_low(self):
        self.assertEqual(reorder.low({"nails": 40, "glue": 2}, self.minimum), ["nails", "tape"])
