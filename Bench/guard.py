#!/usr/bin/env python3
"""Counts the instructions and the allocations that core paths cost, and compares them with guard.json.

usage: guard.py PRODUCTS BOUNDS        (make bench-guard calls it; RECORD=1 writes the file anew)

A count is the difference of two runs with different numbers of repetitions, so that the start of the program is not in it. Counts
move with compiler and libraries but, unlike times, with nothing else: what is above the tolerance is a path that has become dearer.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

TOLERANCE = {"instructions": 0.05, "allocations": 0.02}
# path: how often the two runs repeat it
PATHS = {
    "parse-card": (100, 1100),
    "key-phone": (100, 1100),
    "join-record": (100, 1100),
    "commit-100": (5, 25),
    "decode-frame": (10, 110),
}
FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guard.json")


def instructions(program, path, times, directory):
    """Of user space, as valgrind's callgrind counts them."""
    out = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, path, str(times), directory],
        capture_output=True, check=True, text=True, env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"},
    )
    return int(re.search(r"Collected : (\d+)", out.stderr)[1])


def allocations(program, path, times, directory, preload):
    count = directory + ".count"
    subprocess.run(
        [program, path, str(times), directory], check=True,
        env={**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1", "LD_PRELOAD": preload, "ALLOCATION_COUNT": count},
    )
    with open(count) as file:
        return int(file.read())


def measured(products, bounds):
    """{path: {what: count of one repetition}}"""
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        program = scratch + "/contactsync-paths"
        # valgrind gives up at Swift's debug information.
        subprocess.run(["strip", "--strip-debug", "-o", program, products + "/contactsync-paths"], check=True)

        def each(count, path, *more):
            few, many = PATHS[path]
            totals = []
            for times in (few, many):
                directory = tempfile.mkdtemp(dir=scratch)
                totals.append(count(program, path, times, directory, *more))
            return round((totals[1] - totals[0]) / (many - few))

        for path in PATHS:
            found[path] = {
                "instructions": each(instructions, path),
                "allocations": each(allocations, path, os.path.abspath(bounds + "/allocations.so")),
            }
    return found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    now = measured(*sys.argv[1:])
    if os.environ.get("RECORD"):
        with open(FILE, "w") as file:
            json.dump(now, file, indent=4)
            file.write("\n")
    with open(FILE) as file:
        recorded = json.load(file)
    dearer = cheaper = False
    for path, counts in now.items():
        for what, count in counts.items():
            before = recorded[path][what]
            change = count / before - 1
            note = ""
            if change > TOLERANCE[what]:
                note, dearer = "  dearer", True
            elif change < -TOLERANCE[what]:
                note, cheaper = "  cheaper", True
            print(f"{path:14}{what:14}{before:12,}{count:12,}{change:+8.1%}{note}")
    if cheaper:
        print("some are cheaper than recorded: RECORD=1 make bench-guard keeps that")
    sys.exit(1 if dearer else 0)


if __name__ == "__main__":
    main()
