"""Address books that do not sync: khard, which reads every file for every command, and the one of GNOME."""
import os

import contacts
from contenders import PATIENCE, Contender
from files import put_all, settle
from processes import run


class Khard(Contender):
    name = "khard"
    command = "khard"

    def __init__(self, bench):
        super().__init__(bench)
        self.configuration = None

    def first_index(self, case):
        """All that it does at a start, and does again for each command: `khard list`."""
        self.make(case)
        return self.command_line("list")

    def lookup(self, case):
        if self.configuration is None:
            self.make(case)
        took = self.command_line("phone", "--parsable", contacts.contact(0)["phones"][0].removeprefix("tel:"))
        return {"as a command ms": took["s"] * 1000, "s": took["s"]}

    def make(self, case):
        home = case.home(self)
        put_all(home + "/book", contacts.rendered_vcards(range(case.size)))
        self.configuration = home + "/khard.conf"
        with open(self.configuration, "w") as file:
            file.write(f"[addressbooks]\n[[book]]\npath = {home}/book\n[general]\ndebug = no\n")
        settle()

    def command_line(self, *arguments):
        return run(["khard", "-c", self.configuration, *arguments], log=os.path.dirname(self.configuration) + "/log")


class EvolutionDataServer(Contender):
    """SQLite behind D-Bus. A script of its own talks to it, on a D-Bus of its own, with the Python that has its bindings."""

    name = "evolution"
    command = "/usr/libexec/evolution-addressbook-factory"

    def lookup(self, case):
        home = case.home(self)
        put_all(home + "/cards", contacts.rendered_vcards(range(case.size)))
        environment = {**os.environ, "HOME": home} | {f"XDG_{name}_HOME": f"{home}/{name}" for name in ("CONFIG", "CACHE", "DATA")}
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "evolution.py")
        digits = contacts.own_numbers(0)[0][2][-4:]
        arguments = ["dbus-run-session", "--", "/usr/bin/python3", script, home + "/cards", digits]
        run(arguments, PATIENCE, env=environment, log=home + "/log")
        with open(home + "/log") as log:
            times = [line.removeprefix("ms ") for line in log if line.startswith("ms ")]
        return {"all ms": [float(time) for time in times]}
