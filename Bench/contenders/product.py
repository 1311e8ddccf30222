"""contactsyncd, from outside only: its files, its socket, its configuration."""
import itertools
import json
import os
import re
import socket
import subprocess
import time

import contacts
from contenders import PATIENCE, Pair
from files import Watch, names, names_by_uid, now, poll, put, put_all, read, settle
from processes import Failed, Program, loopback_bytes, run

BOOK = "personal"
ports = itertools.count(23000)  # in the bench's own network namespace all are free


class Daemon:
    """One machine: a home with state, book and configuration."""

    def __init__(self, bench, home, directory):
        self.bench, self.home, self.directory = bench, home, directory
        self.name = os.path.basename(home)
        self.port = next(ports)
        self.socket = f"{bench.sockets}/{self.port}"
        self.program = self.connection = None
        self.peers = []
        os.makedirs(home)
        self.configure()
        answer = subprocess.run(
            [bench.products + "/contactsync", "--config", self.configuration, "id"], capture_output=True, check=True, text=True
        )
        self.id = answer.stdout.split()[-1]

    @property
    def configuration(self):
        return self.home + "/config.toml"

    def configure(self):
        lines = [
            f'name = "{self.name}"', f'listen = "127.0.0.1:{self.port}"', f'state = "{self.home}/state"',
            f'socket = "{self.socket}"', f"[books.{BOOK}]", f'directory = "{self.directory}"', f'region = "{contacts.REGION}"',
        ]
        for peer in self.peers:
            lines += [
                f"[peers.{peer.name}]", f'id = "{peer.id}"', f'address = "127.0.0.1:{peer.port}"', f'books = ["{BOOK}"]'
            ]
        with open(self.configuration, "w") as file:
            file.write("\n".join(lines) + "\n")

    def pair(self, other):
        for one, its_peer in ((self, other), (other, self)):
            one.peers.append(its_peer)
            one.configure()

    def start(self, flush_delay=0):
        """Starts the daemon; its flushes are counted, and each delayed by so many milliseconds."""
        environment = {**os.environ, "HOME": self.home}
        environment |= self.bench.preload(self.flush_counts, flush_delay)
        self.program = Program(
            [self.bench.products + "/contactsyncd", "--config", self.configuration], self.home + "/log", env=environment
        )

    @property
    def flush_counts(self):
        return self.home + "/flushes"

    def flushes(self):
        """How many flushes it has made since its first start."""
        return self.bench.count(self.flush_counts)

    def stop(self):
        if self.connection:
            self.connection.close()
            self.connection = None
        if self.program:
            self.program.stop()

    def ask(self, method, **parameters):
        """The answer, over the open socket; None while the daemon does not listen yet."""
        self.program.check()
        if not self.connection:
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(PATIENCE)
            try:
                connection.connect(self.socket)
            except OSError:
                connection.close()
                return None
            self.connection = connection.makefile("rwb")
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        self.connection.write(json.dumps(request).encode() + b"\n")
        self.connection.flush()
        line = self.connection.readline()
        self.program.check()
        answer = json.loads(line)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def timed(self, method, **parameters):
        """Milliseconds of one question on the open socket; None before it listens."""
        start = now()
        return None if self.ask(method, **parameters) is None else (now() - start) * 1000

    def book(self):
        """Its status of the book, or None."""
        status = self.ask("status")
        return status and {**status["books"][0], "inSync": status["inSync"]}

    def is_idle(self):
        """Whether files, store and persons agree; without peers `inSync` says the same of the store."""
        book = self.book()
        return bool(book) and book["state"] == "idle" and (bool(self.peers) or book["inSync"])

    def until_idle(self, patience=PATIENCE):
        """Returns when it is; throws Failed where it is held or too slow."""
        if poll(self.is_idle, patience) is None:
            raise Failed(f"{self.name} is {(self.book() or {}).get('state')}")


class Product(Pair):
    name = "contactsync"
    trials = 100

    def __init__(self, bench):
        super().__init__(bench)
        self.machines = []
        self.single = None
        self.delay = 0

    def end(self):
        for machine in [*self.machines, self.single]:
            if machine:
                machine.stop()

    # One machine.

    def first_index(self, case):
        return self.index(case, case.cards, case.size)

    def index(self, case, cards, persons):
        """The first start on a directory of cards, which must come to so many persons."""
        home = case.home(self, "alone")
        put_all(home + "/A", cards)
        self.single = Daemon(self.bench, home + "/machine", home + "/A")
        return self.start_single(persons)

    def restart(self, case):
        if self.single is None:
            self.first_index(case)
        return self.start_single(case.size)

    def start_single(self, persons):
        settle()
        self.single.start()
        self.single.until_idle(max(PATIENCE, persons / 500))
        figures = {"s": now() - self.single.program.started}
        time.sleep(1)
        cost = self.single.program.cost()
        book = self.single.book()
        found = book["contacts"] + (book["merged"] if persons >= contacts.ALONE_BELOW else 0)
        self.single.stop()
        if found != persons:
            raise Failed(f"{found} contacts instead of {persons}")
        return {**figures, "peak MB": cost["peak"], "memory MB": cost["resident"]}

    def merge(self, case):
        """Files a share of which are the same person as another: until they are one, in the files too."""
        try:
            return self.index(case, case.duplicated_cards, case.persons)
        finally:
            self.end()
            self.single = None  # other rows want the contacts of the case

    def lookup(self, case):
        """Lookups by number, and whole statuses, on the open socket."""
        if self.single is None:
            self.first_index(case)
        settle()
        self.single.start()
        self.single.until_idle()
        lookups, statuses = [], []
        for k in range(500):
            lookups.append(self.single.timed("lookup", number=self.some_number(case, k)))
            if k % 5 == 0:
                statuses.append(self.single.timed("status"))
            time.sleep(0.002)
        if not self.single.ask("lookup", number=self.some_number(case, 0)):
            raise Failed("nobody is found by number")
        arguments = [self.bench.products + "/contactsync", "--config", self.single.configuration, "lookup"]
        command = run([*arguments, self.some_number(case, 1)])["s"] * 1000
        self.single.stop()
        return {"all ms": lookups, "status all ms": statuses, "as a command ms": command}

    def some_number(self, case, k):
        return contacts.e164(contacts.own_numbers(k * 7919 % case.size)[0])

    # Two machines.

    def set_up(self, case):
        self.machines = [
            Daemon(self.bench, f"{self.home}/machine{side}", directory) for side, directory in (("A", self.a), ("B", self.b))
        ]
        self.machines[0].pair(self.machines[1])
        self.on_b = None

    def prepare(self, live):
        self.machines[0].start()
        self.machines[0].until_idle()
        self.flushed = [machine.flushes() for machine in self.machines]

    def begin(self, live):
        self.machines[1].start(self.delay)

    def settled(self):
        for machine in self.machines:
            if poll(lambda: (machine.book() or {}).get("inSync"), PATIENCE) is None:
                raise Failed(f"{machine.name} is not in sync")

    def reconnect(self, case):
        figures = super().reconnect(case)
        return {**figures, "payload KB": self.payload / 1e3}

    def come_back(self, case):
        """A hundred files change while their machine is off; then it starts, and the clock with it."""
        if self.a is None:
            self.first_sync(case)
        self.machines[1].start()
        self.machines[1].until_idle()
        changed = self.change_some(case)
        settle()
        start = now()
        self.machines[0].start()
        took = self.until_shown(changed, start)
        self.machines[0].until_idle()
        return {"s": took, "start-up scan ended s": now() - start}

    def noticed(self):
        # `rescan` has read the watch when it answers.
        self.machines[0].ask("rescan", book=BOOK)
        self.machines[0].until_idle()

    def name_on_b(self, name):
        if self.on_b is None:
            self.on_b = names_by_uid(self.b)
        if name.removesuffix(".json") not in self.on_b:
            self.on_b = names_by_uid(self.b)
        return self.on_b.get(name.removesuffix(".json"), name)

    def shows(self, data, expected):
        """The daemon writes a card in its own order; the mark in the note tells the revision, the rest is compared as values."""
        if re.search(rb"\(revision \d+ of \d+\)", expected)[0] not in data:
            return False
        card, wanted = json.loads(data), json.loads(expected)
        return all(card.get(key) == wanted.get(key) for key in ("uid", "name", "phones", "emails", "notes", "addresses"))

    def programs(self):
        return {machine.name.removeprefix("machine"): machine.program for machine in self.machines if machine.program}

    def after_sync(self):
        """Flushes of the receiver since the row began."""
        self.on_b = None
        return {"flushes B": self.machines[1].flushes() - self.flushed[1]}

    def saved_slow(self, case):
        return self.slowly(self.saved_file, case)

    def sync_slow(self, case):
        return self.slowly(self.first_sync, case)

    def burst_slow(self, case):
        return self.slowly(self.burst, case)

    def big_burst_slow(self, case):
        return self.slowly(self.big_burst, case)

    def slowly(self, row, case):
        """A row with the receiver's flushes delayed."""
        self.delay = self.bench.flush_delay
        try:
            return row(case)
        finally:
            self.delay = 0

    # While much else is under way.

    def during_sync(self, case):
        """A first sync, and meanwhile: contacts that are added on A until they are on B, and questions on both sockets."""
        self.make_pair(case)
        self.prepare(live=False)
        settle()
        a, b = self.machines
        asked = {f"{method} {side}": [] for method in ("lookup", "status") for side in "AB"}
        added, waiting, seen = 0, {}, []
        next_look = next_addition = 0
        is_bulk_there = False
        with Watch(self.b) as watch:
            self.begin(live=False)
            while not is_bulk_there or waiting:
                if now() - b.program.started > PATIENCE:
                    raise Failed(f"{len(waiting)} contacts that were added meanwhile are missing on the other side")
                for machine in (a, b):
                    side = machine.name[-1]
                    number = self.some_number(case, len(asked["lookup " + side]))
                    asked["lookup " + side].append(machine.timed("lookup", number=number))
                    asked["status " + side].append(machine.timed("status"))
                if b.connection and not is_bulk_there and now() >= next_addition:
                    name = f"Added Meanwhile {added}"
                    contact = {"name": name, "phone": f"+4930{2_000_000 + added}"}
                    waiting[name + ".json"] = now()
                    put(self.a, f"added-{added}.json", json.dumps(contact).encode())
                    added += 1
                    next_addition = now() + 0.1
                heard, found = watch.events(0.002)
                seen += [(heard - waiting.pop(name)) * 1000 for name in found if name in waiting]
                if now() >= next_look:
                    looked = now()
                    is_bulk_there = len(names(self.b)) >= case.size + len(seen)
                    next_look = now() + 9 * (now() - looked)  # a tenth of the time at most
        self.end()
        self.a = None  # this pair holds more than the case's contacts
        answered = {key + " all ms": [t for t in times if t is not None] for key, times in asked.items()}
        return {"saved all ms": seen, **answered}

    # Three machines.

    def ring(self, case):
        """Three machines, each knowing the two others, all contacts on the first: until the others have them, then one saved file."""
        home = case.home(self, "ring")
        directories = [f"{home}/{side}" for side in "ABC"]
        put_all(directories[0], case.cards)
        for directory in directories[1:]:
            os.makedirs(directory)
        machines = [Daemon(self.bench, f"{home}/machine{directory[-1]}", directory) for directory in directories]
        for one, other in itertools.combinations(machines, 2):
            one.pair(other)
        pair, self.machines = (self.machines, self.a), machines
        try:
            machines[0].start()
            machines[0].until_idle()
            settle()
            wire = loopback_bytes()
            start = now()
            for machine in machines[1:]:
                machine.start()
            done = lambda: all(len(names(directory)) >= case.size for directory in directories[1:])
            if poll(done, PATIENCE) is None:
                raise Failed("the ring is not complete")
            figures = {"s": now() - start}
            self.settled()
            figures["wire MB"] = (loopback_bytes() - wire) / 1e6
            figures["saved ms"] = self.ring_latency(directories)
            return figures
        finally:
            self.end()
            self.machines, self.a = pair

    def ring_latency(self, directories):
        name, data = self.revised(0)
        uid = name.removesuffix(".json")
        files = [f"{directory}/{names_by_uid(directory)[uid]}" for directory in directories[1:]]
        start = now()
        put(directories[0], name, data)
        there = lambda: all(self.shows(read(*os.path.split(file)) or b"", data) for file in files)
        if poll(there, PATIENCE, step=0.0005) is None:
            raise Failed("the saved file does not come around")
        return (now() - start) * 1000
