"""What the machine allows: small C and C++ programs that do nothing but what cannot be left out."""
import os

from contenders import Pair
from files import put_all, settle
from processes import Program, run


class Bound(Pair):
    """inotify, one TLS 1.3 connection, batched durable writes; no index, no merge. Reading is simdjson and a phone index."""

    name = "bound"
    trials = 100
    reconnect = no_op = None

    def __init__(self, bench):
        super().__init__(bench)
        self.sender = self.receiver = self.tree = None
        self.delay = 0

    def first_index(self, case):
        self.tree = case.home(self, "alone") + "/A"
        put_all(self.tree, case.cards)
        settle()
        return run([self.bench.bounds + "/parse", self.tree])

    def restart(self, case):
        if self.tree is None:
            self.first_index(case)
        index = os.path.dirname(self.tree) + "/index"
        run([self.bench.bounds + "/restart", "make", self.tree, index])
        settle()
        return run([self.bench.bounds + "/restart", "load", self.tree, index])

    def prepare(self, live):
        self.counts = self.home + "/flushes"
        self.flushed = self.bench.count(self.counts)
        self.receiver = self.program("recv", self.b, "batch", env={**os.environ, **self.bench.preload(self.counts, self.delay)})

    def begin(self, live):
        self.sender = self.program("send", self.a, "live" if live else "all")

    def program(self, role, folder, mode, **options):
        key, certificate = (f"{self.bench.bounds}/{name}.pem" for name in ("key", "certificate"))
        arguments = [self.bench.bounds + "/bound_sync", role, folder, "7001", key, certificate, mode]
        return Program(arguments, self.home + "/log", **options)

    def programs(self):
        return {side: program for side, program in (("A", self.sender), ("B", self.receiver)) if program}

    def after_sync(self):
        return {"flushes B": self.bench.count(self.counts) - self.flushed}

    def slowly(self, row, case):
        self.delay = self.bench.flush_delay
        try:
            return row(case)
        finally:
            self.delay = 0

    def sync_slow(self, case):
        return self.slowly(self.first_sync, case)

    def saved_slow(self, case):
        return self.slowly(self.saved_file, case)

    def burst_slow(self, case):
        return self.slowly(self.burst, case)
