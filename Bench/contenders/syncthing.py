"""Two Syncthings: discovery, relays and upgrades off, the watcher on with its least delay, and `caseSensitiveFS`, without
which it lists the whole folder for each file."""
import os
import subprocess
import time
import xml.etree.ElementTree as ET

from contenders import PATIENCE, Pair
from files import now, poll, put_all, settle
from processes import Failed, Program

PORTS = {"A": 22001, "B": 22002}
OPTIONS = {
    "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
    "startBrowser": "false", "urAccepted": "-1", "autoUpgradeIntervalH": "0", "crashReportingEnabled": "false",
    "setLowPriority": "false", "reconnectionIntervalS": "5",
}


class Node:
    """One side: a home with keys, configuration and index."""

    def __init__(self, home, side, folder):
        self.home, self.side, self.folder, self.log = home, side, folder, home + ".log"
        self.program = None
        os.makedirs(folder + "/.stfolder", exist_ok=True)
        subprocess.run(["syncthing", "generate", "--home", home, "--no-default-folder"], check=True, capture_output=True)
        answer = subprocess.run(["syncthing", "--home", home, "--device-id"], check=True, capture_output=True, text=True)
        self.id = answer.stdout.strip()

    def configure(self, nodes):
        path = self.home + "/config.xml"
        tree = ET.parse(path)
        root = tree.getroot()
        for old in root.findall("device") + root.findall("folder"):
            root.remove(old)
        folder = ET.SubElement(
            root, "folder", id="contacts", path=self.folder, type="sendreceive", rescanIntervalS="3600", fsWatcherEnabled="true",
            fsWatcherDelayS="1",
        )
        ET.SubElement(folder, "caseSensitiveFS").text = "true"
        for node in nodes:
            ET.SubElement(folder, "device", id=node.id)
            device = ET.SubElement(root, "device", id=node.id, name=node.side, compression="metadata")
            ET.SubElement(device, "address").text = f"tcp://127.0.0.1:{PORTS[node.side]}"
        root.find("gui").set("enabled", "false")
        options = root.find("options")
        for old in options.findall("listenAddress"):
            options.remove(old)
        ET.SubElement(options, "listenAddress").text = f"tcp://127.0.0.1:{PORTS[self.side]}"
        for name, value in OPTIONS.items():
            option = options.find(name)
            (ET.SubElement(options, name) if option is None else option).text = value
        tree.write(path)

    def start(self):
        self.log_before = os.path.getsize(self.log) if os.path.exists(self.log) else 0
        arguments = ["syncthing", "serve", "--home", self.home, "--no-browser", "--no-restart"]
        self.program = Program(arguments, self.log, env={**os.environ, "STNOUPGRADE": "1"})

    def scanned(self):
        """Seconds from the start until it has looked at every file."""
        def said():
            self.program.check()
            with open(self.log, errors="replace") as log:
                log.seek(self.log_before)
                return "Completed initial scan" in log.read()

        if poll(said, PATIENCE) is None:
            raise Failed("the scan does not end")
        return now() - self.program.started


class Syncthing(Pair):
    name = "syncthing"
    command = "syncthing"

    def __init__(self, bench):
        super().__init__(bench)
        self.nodes = []
        self.alone = None

    def programs(self):
        return {node.side: node.program for node in [*self.nodes, self.alone] if node and node.program and node.program.is_running}

    def first_index(self, case):
        home = case.home(self, "alone")
        put_all(home + "/A", case.cards)
        self.alone = Node(home + "/syncthing", "A", home + "/A")
        self.alone.configure([self.alone])
        return self.start_alone()

    def restart(self, case):
        if self.alone is None:
            self.first_index(case)
        return self.start_alone()

    def start_alone(self):
        settle()
        self.alone.start()
        seconds = self.alone.scanned()
        time.sleep(1)
        cost = self.alone.program.cost()
        self.end()
        return {"s": seconds, "peak MB": cost["peak"], "memory MB": cost["resident"]}

    def set_up(self, case):
        self.nodes = [Node(f"{self.home}/syncthing{side}", side, folder) for side, folder in (("A", self.a), ("B", self.b))]
        for node in self.nodes:
            node.configure(self.nodes)

    def prepare(self, live):
        self.nodes[0].start()
        self.nodes[0].scanned()
        time.sleep(2)

    def begin(self, live):
        self.nodes[1].start()

    def settled(self):
        # Its indexes are exchanged some seconds after its files.
        self.nodes[1].scanned()
        time.sleep(10)

    def noticed(self):
        # Its watcher collects for a second, up to a minute if there is more.
        time.sleep(10)
