"""Unison on a socket, A the client. Debian's has no watcher, so live it looks once a second (`-repeat 1`). It does not flush, and a
socket is not encrypted."""
import os
import time

from contenders import Pair
from files import put_all, settle
from processes import Program, run

PORT = "7100"


class Unison(Pair):
    name = "unison"
    command = "unison"

    def __init__(self, bench):
        super().__init__(bench)
        self.server = self.client = None
        self.alone = None

    def programs(self):
        return {side: p for side, p in (("A", self.client), ("B", self.server)) if p and p.is_running}

    def environment(self, home, side):
        archives = f"{home}/archives{side}"
        os.makedirs(archives, exist_ok=True)
        return {**os.environ, "UNISON": archives}

    def serve(self, home):
        arguments = ["unison", "-socket", PORT, "-listen", "127.0.0.1"]
        self.server = Program(arguments, home + "/server.log", env=self.environment(home, "B"), cwd=home)
        time.sleep(0.5)

    def arguments(self, a, b, *more):
        options = ["-batch", "-auto", "-ui", "text", "-silent", "-log=false"]
        return ["unison", a, f"socket://127.0.0.1:{PORT}/{b}", *options, *more]

    def first_index(self, case):
        """Both sides equal already: all it does is to look at them."""
        self.alone = case.home(self, "alone")
        for side in "AB":
            put_all(f"{self.alone}/{side}", case.cards)
        return self.look()

    def restart(self, case):
        if self.alone is None:
            self.first_index(case)
        return self.look()

    def look(self):
        self.serve(self.alone)
        settle()
        arguments = self.arguments(self.alone + "/A", self.alone + "/B")
        figures = run(arguments, env=self.environment(self.alone, "A"), log=self.alone + "/client.log")
        self.end()
        return figures

    def prepare(self, live):
        self.serve(self.home)

    def begin(self, live):
        arguments = self.arguments(self.a, self.b, *(["-repeat", "1"] if live else []))
        self.client = Program(arguments, self.home + "/client.log", env=self.environment(self.home, "A"))

    def settled(self):
        if "-repeat" in self.client.process.args:
            time.sleep(3)
        else:
            self.client.process.wait(600)

    def check(self):
        self.server.check()
