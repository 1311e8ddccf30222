"""Started programs, and what they cost: time, memory, wake-ups, bytes on the loopback interface."""
import os
import signal
import subprocess

from files import now


def loopback_bytes():
    """Bytes that went over the loopback interface, headers included: with a network namespace of our own, this run's alone."""
    with open("/proc/net/dev") as table:
        for line in table:
            if line.strip().startswith("lo:"):
                return int(line.split()[1])
    raise RuntimeError("there is no loopback interface")


def children():
    """The processes that each process started: {parent: [child]}."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                found.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(entry))
        except OSError:
            pass
    return found


def status_number(path, key):
    """A number of a status file of /proc, or 0."""
    with open(path) as file:
        for line in file:
            if line.startswith(key + ":"):
                return int(line.split()[1])
    return 0


class Program:
    """A program that runs, and all that it starts."""

    def __init__(self, arguments, log=None, **options):
        self.started = now()  # before the call: it returns only once the program is being run
        with open(log or os.devnull, "ab") as out:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True, **options
            )
        self.log = log

    @property
    def is_running(self):
        return self.process.poll() is None

    def check(self):
        if not self.is_running:
            raise RuntimeError(f"{self.process.args[0]} ended with {self.process.returncode}: {self.log_end()}")

    def log_end(self):
        if not self.log:
            return "(no log)"
        with open(self.log, errors="replace") as file:
            return " ".join(file.read()[-400:].split())

    def tree(self):
        below, found, open_ = children(), [], [self.process.pid]
        while open_:
            process = open_.pop()
            found.append(process)
            open_ += below.get(process, [])
        return found

    def cost(self):
        """What its processes have cost so far: CPU seconds, memory now and at most in MB, wake-ups."""
        cpu = resident = peak = wakes = 0
        for process in self.tree():
            try:
                resident += status_number(f"/proc/{process}/status", "VmRSS")
                peak += status_number(f"/proc/{process}/status", "VmHWM")
                for task in os.listdir(f"/proc/{process}/task"):
                    with open(f"/proc/{process}/task/{task}/schedstat") as file:
                        cpu += int(file.read().split()[0])
                    wakes += status_number(f"/proc/{process}/task/{task}/status", "voluntary_ctxt_switches")
            except OSError:
                pass
        return {"cpu": cpu / 1e9, "resident": resident / 1024, "peak": peak / 1024, "wakes": wakes}

    def stop(self, patience=60):
        """Ends it and what it started, politely first."""
        if not self.is_running:
            return
        self.signal_all(signal.SIGTERM)
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.signal_all(signal.SIGKILL)
            self.process.wait()

    def signal_all(self, number):
        """To the session that it leads, so to nobody else's process."""
        os.killpg(self.process.pid, number)


class Failed(Exception):
    """A contender did not do what a row asks of it; the row says so, and the bench goes on."""


def run(arguments, timeout=600, **options):
    """Runs a command to its end; its seconds.

    Throws Failed if it does not end well.
    """
    process = Program(arguments, **options)
    try:
        code = process.process.wait(timeout)
    except subprocess.TimeoutExpired:
        process.signal_all(signal.SIGKILL)
        process.process.wait()
        raise Failed(f"more than {timeout} s") from None
    seconds = now() - process.started
    if code:
        raise Failed(f"{arguments[0]} ended with {code}: {process.log_end()}")
    return {"s": seconds}
