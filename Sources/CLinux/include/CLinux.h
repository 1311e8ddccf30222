#ifndef CONTACTSYNC_CLINUX_H
#define CONTACTSYNC_CLINUX_H

// What Linux has beyond POSIX and Swift's Glibc module does not show (it is built without _GNU_SOURCE).
// Every function returns 0 or an errno.

#include <sys/xattr.h>

enum contactsync_renaming {
    CONTACTSYNC_RENAME_OVER = 0,
    CONTACTSYNC_RENAME_NOREPLACE = 1,
    CONTACTSYNC_RENAME_EXCHANGE = 2,
};

// renameat2(2) within one directory.
int contactsync_rename(int folder, const char *from, const char *to, int how);

// syncfs(2).
int contactsync_sync_file_system(int descriptor);

// fcntl(2) F_SETLEASE, F_RDLCK: EAGAIN while somebody has the file open for writing. Closing the descriptor ends it.
int contactsync_take_read_lease(int descriptor);

// malloc_trim(3): returns free pages of the allocator to the system; on any thread.
int contactsync_give_memory_back(void);

#endif
