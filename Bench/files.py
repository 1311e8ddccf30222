"""Folders of contact files: writing them, knowing when they are there, and what they hold."""
import ctypes
import os
import re
import select
import struct
import time

UID = re.compile(rb'"uid"\s*:\s*"urn:uuid:([0-9a-f-]{36})"')


def now():
    return time.monotonic()


def put(folder, name, data):
    """Saves a file as editors do: under a temporary name, then renamed."""
    temporary = f"{folder}/.{name}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.write(descriptor, data)
    os.close(descriptor)
    os.rename(temporary, f"{folder}/{name}")


def put_all(folder, files):
    os.makedirs(folder, exist_ok=True)
    for name, data in files.items():
        put(folder, name, data)


def settle():
    """Writes dirty pages out, so that no step pays for the one before it."""
    os.sync()


def names(folder, suffix=".json"):
    try:
        return [e.name for e in os.scandir(folder) if e.name[0] != "." and e.name.endswith(suffix)]
    except FileNotFoundError:
        return []


def read(folder, name):
    try:
        with open(f"{folder}/{name}", "rb") as file:
            return file.read()
    except OSError:
        return None


def names_by_uid(folder):
    """Which file holds which contact, where each file holds one."""
    found = {}
    for name in names(folder):
        match = UID.search(read(folder, name) or b"")
        if match:
            found[match[1].decode()] = name
    return found


def poll(condition, timeout, step=0.005):
    """Seconds until the condition held, or None. What is dear to ask is asked less often: a tenth of the time at most."""
    start = now()
    while now() - start < timeout:
        asked = now()
        if condition():
            return asked - start
        time.sleep(max(step, 9 * (now() - asked)) if now() - asked > step / 9 else step)
    return None


class Watch:
    """Tells when a name shows up in a folder, by a rename or the end of a write; see inotify(7)."""

    CLOSED_AFTER_WRITE, MOVED_TO = 0x8, 0x80

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_CLOEXEC)
        if libc.inotify_add_watch(self.descriptor, folder.encode(), self.CLOSED_AFTER_WRITE | self.MOVED_TO) < 0:
            raise OSError(ctypes.get_errno(), folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.descriptor)

    def events(self, timeout):
        """The names that showed up, once there are any, and the moment of hearing it."""
        if not select.select([self.descriptor], [], [], max(0, timeout))[0]:
            return now(), []
        heard, data, at, found = now(), os.read(self.descriptor, 1 << 16), 0, []
        while at < len(data):
            length = struct.unpack_from("iIII", data, at)[3]
            found.append(data[at + 16:at + 16 + length].rstrip(b"\0").decode())
            at += 16 + length
        return heard, found

    def wait(self, name, holds, timeout):
        """The moment of the event after which the file holds what it should, or None."""
        end = now() + timeout
        while now() < end:
            heard, found = self.events(end - now())
            if name in found and holds():
                return heard
        return None
