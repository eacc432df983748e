import unittest

import members


class ListingTest(unittest.TestCase):
    def test_listing(self):
        self.assertEqual(members.listing([{"name": "Ann Lee", "since": "03/2019"}]), "Ann Lee, since 03/2019\n")
