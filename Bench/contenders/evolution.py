"""Puts a folder of vCards into the address book of Evolution Data Server, then asks it by number; prints `ms` and a number a line.

usage, below dbus-run-session: evolution.py FOLDER DIGITS
"""
import os
import sys
import time

import gi

gi.require_version("EBook", "1.2")
gi.require_version("EBookContacts", "1.2")
gi.require_version("EDataServer", "1.2")
from gi.repository import EBook, EBookContacts, EDataServer

BATCH = 500
WAIT = 2**32 - 1
folder, digits = sys.argv[1:]
registry = EDataServer.SourceRegistry.new_sync(None)
book = EBook.BookClient.connect_sync(registry.ref_builtin_address_book(), WAIT, None)
names = sorted(os.listdir(folder))
for at in range(0, len(names), BATCH):
    cards = []
    for name in names[at:at + BATCH]:
        with open(f"{folder}/{name}", newline="") as file:
            cards.append(EBookContacts.Contact.new_from_vcard(file.read()))
    book.add_contacts_sync(cards, 0, None)
for _ in range(10):
    start = time.monotonic()
    book.get_contacts_sync(f'(endswith "phone" "{digits}")', None)
    print("ms", (time.monotonic() - start) * 1000)
