"""Bookings of the meeting rooms."""
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Booking:
    room: str
    start: datetime
    end: datetime
    who: str


class Conflict(Exception):
    """The room is taken; `booking` says by whom."""

    def __init__(self, booking):
        super().__init__(f"{booking.room} is taken from {booking.start:%H:%M} to {booking.end:%H:%M} by {booking.who}")
        self.booking = booking


class Calendar:
    def __init__(self):
        self.bookings = []

    def book(self, room, start, end, who):
        if end <= start:
            raise ValueError("a booking must end after it starts")
        for b in self.bookings:
            if b.room == room and (b.start <= start < b.end or b.start < end <= b.end):
                raise Conflict(b)
        booking = Booking(room, start, end, who)
        self.bookings.append(booking)
        return booking
