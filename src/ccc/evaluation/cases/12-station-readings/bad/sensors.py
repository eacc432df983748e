"""Reads the station files: station,time,fahrenheit per line."""
import csv
from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    station: str
    time: str
    celsius: float


def read(path):
    with open(path, newline="") as f:
        return [Reading(station, time, (float(degrees) - 32) / 1.8) for station, time, degrees in csv.reader(f)]
