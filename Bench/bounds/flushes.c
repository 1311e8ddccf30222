// Preloaded into a program it counts the program's flushes, and makes each of them take longer, as a slow disk does.
//   FLUSH_COUNTS=FILE       where the count is kept, a 64-bit number that outlives the program
//   FLUSH_DELAY_MS=20       how much longer each takes
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static _Atomic unsigned long nowhere, *count = &nowhere;
static long delay;

__attribute__((constructor)) static void prepare(void) {
    const char *path = getenv("FLUSH_COUNTS"), *milliseconds = getenv("FLUSH_DELAY_MS");
    if (milliseconds) delay = atol(milliseconds);
    if (!path) return;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof *count)) return;
    void *shared = mmap(0, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) count = shared;
    close(file);
}

static int flush(const char *name, int file) {
    atomic_fetch_add(count, 1);
    if (delay) {
        struct timespec rest = {delay / 1000, delay % 1000 * 1000000};
        while (nanosleep(&rest, &rest)) {}
    }
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return real(file);
}

int fsync(int file) { return flush("fsync", file); }
int fdatasync(int file) { return flush("fdatasync", file); }
int syncfs(int file) { return flush("syncfs", file); }
