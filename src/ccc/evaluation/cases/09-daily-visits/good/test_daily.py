import os
import time
import unittest

from daily import count, hour


class DailyTest(unittest.TestCase):
    def setUp(self):
        os.environ["TZ"] = "UTC"
        time.tzset()

    def test_count(self):
        self.assertEqual(count(["1709251200\n", "1709337599\n", "\n", "1709337600\n"]), {"2024-03-01": 2, "2024-03-02": 1})

    def test_hour(self):
        self.assertEqual(count(["1709251200\n", "1709254799\n", "1709254800\n"], hour), {"2024-03-01 00": 2, "2024-03-01 01": 1})

    def test_beijing(self):
        os.environ["TZ"] = "CST-8"
        time.tzset()
        self.assertEqual(count(["1709309100\n"]), {"2024-03-02": 1})
        self.assertEqual(count(["1709309100\n"], hour), {"2024-03-02 00": 1})


if __name__ == "__main__":
    unittest.main()
