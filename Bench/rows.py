"""What is measured: the rows of the table, in the order in which each round takes them."""
from dataclasses import dataclass

ORDINARY = (1_000, 10_000, 100_000)


@dataclass(frozen=True)
class Row:
    """A workload. `title` is what people read; `sizes` are the sizes that it is measured at."""

    name: str
    title: str
    sizes: tuple = ORDINARY
    rounds: int = 0  # 0: as many as the size has


ROWS = [
    Row("first_index", "first index"),
    Row("restart", "restart, nothing changed"),
    Row("lookup", "lookup by number"),
    Row("first_sync", "first sync to an empty machine"),
    Row("saved_file", "saved file seen on the other side"),
    Row("reconnect", "reconnect after 100 changes"),
    Row("come_back", "100 files changed while their machine was off, from its start until the other side shows them"),
    Row("no_op", "reconnect, nothing changed"),
    Row("idle", "both sides idle for 60 s", rounds=1),
    Row("burst", "5,000 files at once", sizes=(10_000,)),
    Row("big_burst", "50,000 files at once", sizes=(10_000,), rounds=3),
    Row("during_sync", "while a first sync runs", sizes=(10_000, 100_000)),
    Row("sync_slow", "first sync, each flush of the receiver 20 ms slower", sizes=(10_000,), rounds=3),
    Row("saved_slow", "saved file seen, each flush of the receiver 20 ms slower", sizes=(10_000,), rounds=3),
    Row("burst_slow", "5,000 files at once, each flush of the receiver 20 ms slower", sizes=(10_000,), rounds=3),
    Row("big_burst_slow", "50,000 files at once, each flush of the receiver 20 ms slower", sizes=(10_000,), rounds=1),
    Row("ring", "three machines in a ring", sizes=(1_000, 10_000)),
    Row("merge", "first index with 5 % duplicates, until they are one", sizes=(10_000, 100_000)),
]
# Once each, by the product and the bound.
MILLION = [Row(row.name, row.title, (1_000_000,), 1) for row in ROWS[:2]]

ROUNDS = {1_000: 5, 10_000: 5, 100_000: 3, 1_000_000: 1}


def rounds(row, size):
    """How often a row is measured at a size."""
    return row.rounds or ROUNDS.get(size, 3)
