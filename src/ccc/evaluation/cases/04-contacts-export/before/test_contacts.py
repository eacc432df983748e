import unittest

import contacts

PEOPLE = [
    {"name": "Åsa Lind", "email": "asa@example.org", "phone": "+46 8 1"},
    {"name": "Doe, John", "email": "john@example.org", "phone": "+1 2"},
]


class ListingTest(unittest.TestCase):
    def test_listing(self):
        self.assertEqual(contacts.listing(PEOPLE[:1]), "Åsa Lind <asa@example.org>\n")
