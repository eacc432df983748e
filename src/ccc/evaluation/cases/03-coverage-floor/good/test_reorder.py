import unittest

from shelf import reorder


class ReorderTest(unittest.TestCase):
    minimum = {"glue": 2, "nails": 100, "tape": 1}
    target = {"glue": 6, "nails": 500, "tape": 4}

    def test_low(self):
        self.assertEqual(reorder.low({"nails": 40, "glue": 2}, self.minimum), ["nails", "tape"])

    def test_order(self):
        self.assertEqual(
            reorder.order({"nails": 40, "glue": 2}, self.minimum, self.target), {"nails": 460, "tape": 4}
        )

    def test_target_below_minimum(self):
        with self.assertRaises(ValueError):
            reorder.order({}, {"glue": 2}, {"glue": 1})
