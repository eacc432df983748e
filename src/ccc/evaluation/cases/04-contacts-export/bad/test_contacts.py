import json
import unittest

import contacts

PEOPLE = [
    {"name": "Åsa Lind", "email": "asa@example.org", "phone": "+46 8 1"},
    {"name": "Doe, John", "email": "john@example.org", "phone": "+1 2"},
]


class ListingTest(unittest.TestCase):
    def test_listing(self):
        self.assertEqual(contacts.listing(PEOPLE[:1]), "Åsa Lind <asa@example.org>\n")


class ExportTest(unittest.TestCase):
    def test_csv(self):
        self.assertEqual(
            contacts.to_csv(PEOPLE),
            'name,email,phone\nÅsa Lind,asa@example.org,+46 8 1\n"Doe, John",john@example.org,+1 2\n',
        )

    def test_json(self):
        self.assertIn("Åsa", contacts.to_json(PEOPLE))
        self.assertEqual(json.loads(contacts.to_json(PEOPLE)), PEOPLE)

    def test_formats(self):
        self.assertEqual(sorted(contacts.FORMATS), ["csv", "json", "vcard"])
