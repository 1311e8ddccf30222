#!/usr/bin/env python3
"""Runs the product, what people would pick instead, and the bounds on the same contacts, by turns; see README.md.

usage: bench.py PRODUCTS BOUNDS        (make bench calls it)
environment: ROWS= SIZES= ROUNDS= WHO= choose; WORK= is where the folders are made, KEEP=1 leaves them; OUT= the JSON file
"""
import json
import multiprocessing
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import contacts
import rows
import table
from contenders import addressbooks, bound, product, rsync, syncthing, unison
from processes import Failed

SLOW = 60  # seconds from which a contender does a row once only
IDLE = 60  # seconds
DUPLICATES = 0.05
EVERYONE = [
    product.Product, bound.Bound, syncthing.Syncthing, unison.Unison, rsync.Rsync, rsync.Lsyncd, addressbooks.Khard,
    addressbooks.EvolutionDataServer,
]


def chosen(name, default):
    return os.environ.get(name, "").replace(",", " ").split() or default


class Bench:
    """What all contenders share: where things are, and the contacts."""

    flush_delay = 20  # milliseconds

    def __init__(self, products, bounds):
        self.products, self.bounds = os.path.abspath(products), os.path.abspath(bounds)
        self.work = tempfile.mkdtemp(prefix="bench-", dir=os.environ.get("WORK"))
        # Apart from the work: the name of a socket has 107 bytes at most.
        self.sockets = tempfile.mkdtemp(prefix="bench-sockets-", dir="/tmp")
        self.revision = 1
        self.stock = []

    def cards(self, first, count):
        """Files of the contacts from `first` on."""
        start, end, step = len(self.stock), first + count, 1000
        if start < end:
            parts = (range(at, min(at + step, end)) for at in range(start, end, step))
            with multiprocessing.Pool(initializer=signal.signal, initargs=(signal.SIGTERM, signal.SIG_DFL)) as pool:
                for files in pool.imap(contacts.rendered, parts):
                    self.stock += files.items()
        return dict(self.stock[first:first + count])

    def preload(self, counts, delay):
        """The environment that counts a program's flushes and delays each."""
        return {"LD_PRELOAD": self.bounds + "/flushes.so", "FLUSH_COUNTS": counts, "FLUSH_DELAY_MS": str(delay)}

    @staticmethod
    def count(path):
        """What such a file counts."""
        try:
            with open(path, "rb") as file:
                return int.from_bytes(file.read(8), "little")
        except FileNotFoundError:
            return 0


class Case:
    """One size in one round."""

    def __init__(self, bench, size, round_):
        self.bench, self.size, self.round = bench, size, round_

    @property
    def cards(self):
        return self.bench.cards(0, self.size)

    def more_cards(self, first, count):
        """Contacts that no case begins with."""
        return self.bench.cards(first, count)

    @property
    def duplicated_cards(self):
        return contacts.rendered(range(self.size), duplicates=DUPLICATES)

    @property
    def persons(self):
        return contacts.persons(self.size, DUPLICATES)

    def home(self, contender, what="pair"):
        """A new directory for the contender."""
        return tempfile.mkdtemp(prefix=f"{self.size}-{contender.name}-{what}-", dir=self.bench.work)


def idle(contenders, case):
    """All pairs are idle at once, for they hardly disturb each other; figures a contender, or why not."""
    results, before = {}, {}
    for contender in contenders:
        try:
            contender.up(case)
        except Exception as error:
            results[contender] = error
            contender.end()
    time.sleep(20)
    up = [contender for contender in contenders if contender not in results]
    for contender in up:
        before[contender] = contender.idle_costs()
    time.sleep(IDLE)
    for contender in up:
        after = contender.idle_costs()
        results[contender] = {
            "CPU s": after["cpu"] - before[contender]["cpu"], "wake-ups": after["wakes"] - before[contender]["wakes"],
            **{f"memory {side} MB": cost["resident"] for side, cost in contender.costs().items()},
        }
        contender.end()
    return results


def measure(contender, row, case):
    try:
        return getattr(contender, row.name)(case)
    except Exception as error:
        return error
    finally:
        contender.end()


def machine():
    """Where and with what it was measured."""
    def first_line(*command):
        try:
            return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]
        except (OSError, IndexError):
            return None

    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    versions = {
        "contactsync": first_line("git", "-C", os.path.dirname(os.path.abspath(__file__)), "describe", "--always", "--dirty"),
        "syncthing": first_line("syncthing", "--version"), "unison": first_line("unison", "-version"),
        "rsync": first_line("rsync", "--version"), "lsyncd": first_line("lsyncd", "--version"),
        "khard": first_line("khard", "--version"), "kernel": platform.release(),
        "system": first_line("sh", "-c", ". /etc/os-release && echo $PRETTY_NAME"),
    }
    return {
        "date": time.strftime("%Y-%m-%d"), "processor": model, "cores": os.cpu_count(),
        "memoryGB": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
        "versions": {name: text for name, text in versions.items() if text},
    }


class Run:
    """One call of the bench: what was chosen, and what has been measured so far."""

    def __init__(self, bench, out):
        self.bench, self.out, self.samples = bench, out, []
        self.machine = machine()
        self.slow = set()
        self.only_rows, self.only_rounds = chosen("ROWS", None), chosen("ROUNDS", None)
        self.who = [c for c in EVERYONE if c.is_here() and c.name in chosen("WHO", [c.name])]

    def all(self):
        sizes = [int(text) for text in chosen("SIZES", [1_000, 10_000, 100_000, 1_000_000])]
        unknown = set(self.only_rows or ()) - {row.name for row in rows.ROWS}
        if unknown:
            sys.exit(f"there is no row {', '.join(unknown)}; there are: {', '.join(row.name for row in rows.ROWS)}")
        for size in sizes:
            wanted = [
                row for row in (rows.MILLION if size == 1_000_000 else rows.ROWS)
                if (row.name in self.only_rows if self.only_rows else size in row.sizes)
            ]
            self.size(size, wanted)

    def size(self, size, wanted):
        contenders = [contender(self.bench) for contender in self.who]
        count = {row: int(self.only_rounds[0]) if self.only_rounds else rows.rounds(row, size) for row in wanted}
        for round_ in range(max(count.values(), default=0)):
            case = Case(self.bench, size, round_)
            for row in (row for row in wanted if round_ < count[row]):
                able = [
                    c for c in contenders
                    if c.has("idle_costs" if row.name == "idle" else row.name) and (c.name, row.name, size) not in self.slow
                ]
                # Nobody is always first.
                able = able[round_ % len(able):] + able[:round_ % len(able)] if able else []
                if row.name == "idle":
                    for contender, result in idle(able, case).items():
                        self.note(contender, row, case, result)
                    continue
                for contender in able:
                    self.note(contender, row, case, measure(contender, row, case))

    def note(self, contender, row, case, result):
        sample = {"row": row.name, "size": case.size, "round": case.round, "contender": contender.name, "figures": {}}
        if isinstance(result, Exception):
            sample["failed"] = str(result) if isinstance(result, Failed) else repr(result)
            if not isinstance(result, Failed):
                traceback.print_exception(result)
            self.slow.add((contender.name, row.name, case.size))
        else:
            sample["figures"] = result
            if result.get("s", 0) > SLOW and contender.name != table.PRODUCT:
                sample["slow"] = True
                self.slow.add((contender.name, row.name, case.size))
        self.samples.append(sample)
        figures = table.figures([sample])
        text = ", ".join(f"{name} {table.short(value[case.round])}" for name, value in figures.items())
        line = f"{row.name} {case.size:,} round {case.round + 1} {contender.name}: {text or sample.get('failed')}"
        print(line, file=sys.stderr, flush=True)
        self.write()

    def write(self):
        lines = table.lines(self.samples, rows.ROWS)
        os.makedirs(os.path.dirname(os.path.abspath(self.out)), exist_ok=True)
        with open(self.out, "w") as file:
            json.dump({"machine": self.machine, "table": lines, "samples": self.samples}, file, ensure_ascii=False)
        return lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not os.environ.get("BENCH_INSIDE"):
        # A network namespace of our own: its loopback interface counts our bytes alone.
        own = ["unshare", "--net"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        os.execvpe(own[0], [*own, sys.executable, *sys.argv], {**os.environ, "BENCH_INSIDE": "1"})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # so that what was started is ended
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    bench = Bench(*sys.argv[1:])
    run = Run(bench, os.environ.get("OUT") or os.path.join(sys.argv[2], "..", "results.json"))
    try:
        run.all()
    finally:
        lines = run.write()
        m = run.machine
        print(f"{m['date']}, {m['cores']} cores of {m['processor']}, {m['memoryGB']} GB")
        print("; ".join(f"{name} {text.removeprefix(name).strip()}" for name, text in m["versions"].items()), end="\n\n")
        print(table.markdown(lines))
        shutil.rmtree(bench.sockets, ignore_errors=True)
        # Only now: after many deletions the file system makes new files slowly for minutes.
        if not os.environ.get("KEEP"):
            shutil.rmtree(bench.work, ignore_errors=True)


if __name__ == "__main__":
    main()
