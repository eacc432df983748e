"""Bookings of the meeting rooms."""
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Booking:
    room: str
    start: datetime
    end: datetime
    who: str


class Calendar:
    def __init__(self):
        self.bookings = []

    def book(self, room, start, end, who):
        booking = Booking(room, start, end, who)
        self.bookings.append(booking)
        return booking
