import unittest

import members
import migrate


class ListingTest(unittest.TestCase):
    def test_listing(self):
        self.assertEqual(members.listing([{"first": "Ann", "last": "Lee", "since": "2019-03"}]), "Lee, Ann, since 2019-03\n")


class ConvertTest(unittest.TestCase):
    def test_convert(self):
        new = migrate.convert({"name": "Maria del Mar Ruiz", "since": "01/2020"})
        self.assertEqual(new, {"first": "Maria del Mar", "last": "Ruiz", "since": "2020-01"})
