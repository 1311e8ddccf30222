#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

int contactsync_rename(int folder, const char *from, const char *to, int how) {
    unsigned flags = how == CONTACTSYNC_RENAME_EXCHANGE    ? RENAME_EXCHANGE
                     : how == CONTACTSYNC_RENAME_NOREPLACE ? RENAME_NOREPLACE
                                                           : 0;
    return renameat2(folder, from, folder, to, flags) == 0 ? 0 : errno;
}

int contactsync_sync_file_system(int descriptor) { return syncfs(descriptor) == 0 ? 0 : errno; }

int contactsync_take_read_lease(int descriptor) {
    return fcntl(descriptor, F_SETLEASE, F_RDLCK) == 0 ? 0 : errno;
}

int contactsync_give_memory_back(void) {
    malloc_trim(0);
    return 0;
}
