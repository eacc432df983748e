"""Reads the station files: station,time,fahrenheit per line."""
import csv


def read(path):
    with open(path, newline="") as f:
        return [(station, time, (float(degrees) - 32) / 1.8) for station, time, degrees in csv.reader(f)]
