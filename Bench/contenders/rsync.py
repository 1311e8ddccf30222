"""rsync, one way, on one machine; and lsyncd, which watches a folder and runs it. Neither flushes nor encrypts here."""
import re
import subprocess
import time

from contenders import Pair
from files import now, settle
from processes import Failed, Program


class Rsync(Pair):
    """By hand: one run of the command."""

    name = "rsync"
    command = "rsync"
    burst = big_burst = saved_file = idle_costs = None

    def __init__(self, bench):
        super().__init__(bench)
        self.client = None

    def begin(self, live):
        arguments = ["rsync", "-a", "--delete", "--stats", self.a + "/", self.b + "/"]
        self.client = subprocess.run(arguments, capture_output=True, text=True)
        if self.client.returncode:
            raise Failed(self.client.stderr)

    def wire(self):
        """What went through its pipe, in bytes: no packet headers."""
        numbers = re.findall(r"Total bytes (?:sent|received): ([\d,]+)", self.client.stdout)
        return sum(int(number.replace(",", "")) for number in numbers)

    def first_sync(self, case):
        return {**super().first_sync(case), "wire MB": self.wire() / 1e6}

    def reconnect(self, case):
        return {**super().reconnect(case), "wire KB": self.wire() / 1e3}

    def no_op(self, case):
        return {**super().no_op(case), "wire KB": self.wire() / 1e3}

    def restart(self, case):
        """Nothing changed: it looks at every file of both folders."""
        if self.a is None:
            self.first_sync(case)
        settle()
        start = now()
        self.begin(live=False)
        return {"s": now() - start}


class Lsyncd(Pair):
    name = "lsyncd"
    command = "lsyncd"
    first_index = no_op = None

    def __init__(self, bench):
        super().__init__(bench)
        self.daemon = None

    def programs(self):
        return {"A": self.daemon} if self.daemon and self.daemon.is_running else {}

    def set_up(self, case):
        with open(self.home + "/lsyncd.lua", "w") as file:
            file.write(
                f'settings{{nodaemon=true, logfile="{self.home}/lsyncd.log"}}\n'
                f'sync{{default.rsync, source="{self.a}", target="{self.b}", delay=0}}\n'
            )

    def begin(self, live):
        self.daemon = Program(["lsyncd", self.home + "/lsyncd.lua"], self.home + "/log")

    def settled(self):
        time.sleep(3)

    # Its rsync writes into a pipe that nobody counts.

    def first_sync(self, case):
        return {name: value for name, value in super().first_sync(case).items() if name != "wire MB"}

    def reconnect(self, case):
        return {name: value for name, value in super().reconnect(case).items() if name != "wire KB"}
