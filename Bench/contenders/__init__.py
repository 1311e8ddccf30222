"""Who is measured: the product, what people would pick instead, and the bounds."""
import os
import shutil
import time
from collections import Counter

import contacts
from files import Watch, names, now, poll, put, put_all, read, settle
from processes import Failed, loopback_bytes

PATIENCE = 900  # seconds that anything may take
STALL = 120  # seconds without a new file after which nobody waits for more
CHANGED = 100  # files that change while the other side is away


class Contender:
    """One that takes part. Its rows are the methods that rows.py names; each takes a case and returns its figures.

    A figure's name ends with its unit. What a row leaves behind, the rows after it in the same round build on.
    """

    name = ""
    command = None  # the program that must be there

    def __init__(self, bench):
        self.bench = bench

    @classmethod
    def is_here(cls):
        return cls.command is None or shutil.which(cls.command) is not None

    def has(self, row):
        return getattr(self, row, None) is not None

    def end(self):
        """Stops what still runs, however a row ended."""


class Pair(Contender):
    """One that keeps folder A and folder B the same, A's side being the one where things happen.

    What differs between contenders is how they are started: `prepare` starts what waits for the other side, `begin`
    the rest, and from there the clock runs. `live` says whether they go on afterwards.
    """

    trials = 10  # saved files a round

    def __init__(self, bench):
        super().__init__(bench)
        self.home = self.a = self.b = None

    # What a contender says of itself.

    def set_up(self, case):
        """Configures both sides below `home`."""

    def prepare(self, live):
        pass

    def begin(self, live):
        raise NotImplementedError

    def settled(self):
        """Returns when both sides have nothing more to do."""

    def noticed(self):
        """Returns when A's side knows what was changed in A."""

    def name_on_b(self, name):
        return name

    def shows(self, data, expected):
        """Whether the bytes of a file of B are what was saved on A."""
        return data == expected

    def programs(self):
        """The programs that run for each side: {side: program}."""
        return {}

    def costs(self):
        """What each side's programs cost so far: {side: cost}."""
        return {side: program.cost() for side, program in self.programs().items()}

    def check(self):
        """Throws if a program that should run has ended."""
        for program in self.programs().values():
            program.check()

    def end(self):
        for program in self.programs().values():
            program.stop()

    # The rows.

    def make_pair(self, case):
        """Two folders: A holds the contacts of the case, B nothing."""
        self.home = case.home(self)
        self.a, self.b = self.home + "/A", self.home + "/B"
        put_all(self.a, case.cards)
        os.makedirs(self.b)
        self.holds = dict(case.cards)
        self.set_up(case)

    def first_sync(self, case):
        self.make_pair(case)
        self.prepare(live=False)
        settle()
        wire = loopback_bytes()
        start = now()
        self.begin(live=False)
        took = self.until_there(len(self.holds), start)
        figures = {"s": took, **self.figures()}
        self.settled()
        figures["wire MB"] = (loopback_bytes() - wire) / 1e6
        figures.update(self.after_sync())
        self.end()
        self.verify(self.holds)
        return figures

    def until_there(self, count, start):
        """Seconds since `start` until B holds so many files."""
        most, grew = -1, now()

        def there():
            nonlocal most, grew
            self.check()
            have = len(names(self.b))
            if have > most:
                most, grew = have, now()
            return have >= count or now() - grew > STALL

        if poll(there, PATIENCE) is None or most < count:
            raise Failed(f"{count - most} of {count} files are missing on the other side")
        return now() - start

    def figures(self):
        return {f"peak {side} MB": cost["peak"] for side, cost in self.costs().items()}

    def after_sync(self):
        return {}

    def verify(self, files):
        """Throws Failed unless B shows these files, a thousand of them by their contents."""
        for name in list(files)[::max(1, len(files) // 1000)]:
            data = read(self.b, self.name_on_b(name))
            if data is None or not self.shows(data, files[name]):
                raise Failed(f"{name} is not on the other side as it was saved")

    def up(self, case):
        """Starts both sides for as long as the row needs, on the pair that the round has made."""
        if self.a is None:
            self.first_sync(case)
        self.prepare(live=True)
        self.begin(live=True)
        self.ready()

    def ready(self):
        """A change that arrives proves that both sides are up and talk. What is too early for a watch is saved again."""
        patience = 0.5
        while self.latency(0, patience) is None:
            self.check()
            patience *= 2
            if patience > PATIENCE:
                raise Failed("the two sides do not talk")
        self.settled()

    def revised(self, i):
        """The next revision of a contact: its name and bytes."""
        self.bench.revision += 1
        return next(iter(contacts.rendered([i], self.bench.revision).items()))

    def latency(self, i, patience=60):
        """Milliseconds from a save on A until the same is on B; None if it does not come."""
        name, data = self.revised(i)
        on_b = self.name_on_b(name)
        with Watch(self.b) as watch:
            start = now()
            put(self.a, name, data)
            heard = watch.wait(on_b, lambda: self.shows(read(self.b, on_b) or b"", data), patience)
        self.holds[name] = data
        return None if heard is None else (heard - start) * 1000

    def saved_file(self, case):
        self.up(case)
        times = []
        for trial in range(self.trials):
            times.append(self.latency(trial * 37 % case.size))
            # Not in step with anyone's own timer.
            time.sleep((0.03 if self.trials > 50 else 0.3) * (1 + trial * 0.37 % 1))
        self.end()
        return {"all ms": times}

    def change_some(self, case):
        """Saves a hundred files of A anew."""
        changed = dict(self.revised(k * case.size // CHANGED) for k in range(CHANGED))
        put_all(self.a, changed)
        self.holds.update(changed)
        self.payload = sum(map(len, changed.values()))
        return changed

    def until_shown(self, changed, start):
        """Seconds since `start` until B shows these files."""
        missing = set(changed)

        def all_there():
            self.check()
            for name in list(missing):
                if not self.shows(read(self.b, self.name_on_b(name)) or b"", changed[name]):
                    return False
                missing.discard(name)
            return True

        if poll(all_there, PATIENCE) is None:
            raise Failed(f"{len(missing)} of {len(changed)} changes are missing on the other side")
        return now() - start

    def reconnect(self, case):
        if self.a is None:
            self.first_sync(case)
        self.prepare(live=False)
        changed = self.change_some(case)
        self.noticed()
        settle()
        wire = loopback_bytes()
        start = now()
        self.begin(live=False)
        took = self.until_shown(changed, start)
        self.settled()
        self.end()
        return {"s": took, "wire KB": (loopback_bytes() - wire) / 1e3}

    def no_op(self, case):
        if self.a is None:
            self.first_sync(case)
        self.prepare(live=False)
        self.noticed()
        settle()
        wire = loopback_bytes()
        self.begin(live=False)
        self.settled()
        self.end()
        return {"wire KB": (loopback_bytes() - wire) / 1e3}

    def burst(self, case):
        return self.drop(case, 5_000)

    def big_burst(self, case):
        return self.drop(case, 50_000)

    def drop(self, case, count):
        """Many new files at once: until all are on B."""
        self.up(case)
        new = case.more_cards(len(self.holds), count)
        before = len(self.holds)
        settle()
        start = now()
        put_all(self.a, new)
        self.holds.update(new)
        took = self.until_there(before + count, start)
        figures = {"s": took, **self.figures(), **self.after_sync()}
        self.end()
        self.verify(new)
        return figures

    def idle_costs(self):
        """What both sides together have cost so far."""
        total = Counter()
        for cost in self.costs().values():
            total.update(cost)
        return dict(total)
