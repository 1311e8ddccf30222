#define _GNU_SOURCE
#include "Faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static struct faults_control *control;
static const char *root, *book;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTS_CONTROL");
    root = getenv("FAULTS_ROOT");
    book = getenv("FAULTS_BOOK");
    if (!path || !root || !book) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (file < 0) abort();
    void *page = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) abort();
    close(file);
    control = page;
}

#define LOAD(member) __atomic_load_n(&control->member, __ATOMIC_SEQ_CST)
#define COUNT(member) __atomic_add_fetch(&control->member, 1, __ATOMIC_SEQ_CST)

// Finds the next definition of a call once.
#define REAL(name)                                                                                                     \
    static __typeof__(name) *real;                                                                                     \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// What becomes of a call.
enum fate { GO, FAIL, SHORT, GO_AND_DIE };

static int is_below(const char *path, const char *directory) {
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == 0);
}

_Noreturn static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

static enum fate judge(enum faults_kind kind, const char *call, const char *path) {
    if (!control || !is_below(path, root)) return GO;
    if (!(LOAD(kinds) & kind)) return GO;
    int64_t place = LOAD(place);
    if (place && (place == 1) != is_below(path, book)) return GO;
    int64_t number = COUNT(calls), first = LOAD(first);
    if (!first || number < first || number > LOAD(last)) return GO;
    COUNT(hits);
    snprintf(control->where, sizeof control->where, "%s %s", call, path + strlen(root));
    switch (LOAD(action)) {
    case FAULTS_KILL_BEFORE: die();
    case FAULTS_KILL_HALF: return GO_AND_DIE;
    case FAULTS_STALL: usleep(500000); return GO;
    case FAULTS_SHORT: return kind == FAULTS_WRITE ? SHORT : FAIL;
    default: return FAIL;
    }
}

static void path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
}

// What becomes of a call about an open file. Sockets and pipes, and what the daemon logs, lie below no root.
static enum fate judge_file(enum faults_kind kind, const char *call, int descriptor) {
    if (!control || descriptor <= 2) return GO;
    char path[PATH_MAX];
    path_of(descriptor, path);
    return judge(kind, call, path);
}

static enum fate judge_name(enum faults_kind kind, const char *call, int folder, const char *name) {
    if (!control) return GO;
    char path[2 * PATH_MAX + 2];
    if (name[0] == '/') return judge(kind, call, name);
    if (folder == AT_FDCWD) return GO;
    path_of(folder, path);
    strcat(path, "/");
    strncat(path, name, PATH_MAX);
    return judge(kind, call, path);
}

static int failed(void) {
    errno = (int)LOAD(error);
    return -1;
}

// Carries out a call that answers 0 or an error.
#define CARRY_OUT(fate, call)                                                                                          \
    switch (fate) {                                                                                                    \
    case FAIL:                                                                                                         \
    case SHORT: return failed();                                                                                       \
    case GO_AND_DIE: (void)(call); die();                                                                              \
    default: return (call);                                                                                            \
    }

// The same for one that writes some bytes.
#define CARRY_OUT_WRITE(fate, whole, half)                                                                             \
    switch (fate) {                                                                                                    \
    case FAIL: return failed();                                                                                        \
    case SHORT: return (half);                                                                                         \
    case GO_AND_DIE: (void)!(half); die();                                                                             \
    default: return (whole);                                                                                           \
    }

#define MODE_OF(flags)                                                                                                 \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                           \
        va_list list;                                                                                                  \
        va_start(list, flags);                                                                                         \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }

static int is_creating(int flags) { return (flags & O_CREAT) || (flags & __O_TMPFILE) == __O_TMPFILE; }

int open(const char *path, int flags, ...) {
    REAL(open);
    MODE_OF(flags);
    CARRY_OUT(is_creating(flags) ? judge_name(FAULTS_CREATE, "open", AT_FDCWD, path) : GO, real(path, flags, mode));
}

int open64(const char *path, int flags, ...) {
    REAL(open64);
    MODE_OF(flags);
    CARRY_OUT(is_creating(flags) ? judge_name(FAULTS_CREATE, "open", AT_FDCWD, path) : GO, real(path, flags, mode));
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(openat);
    MODE_OF(flags);
    CARRY_OUT(is_creating(flags) ? judge_name(FAULTS_CREATE, "openat", folder, path) : GO,
              real(folder, path, flags, mode));
}

int openat64(int folder, const char *path, int flags, ...) {
    REAL(openat64);
    MODE_OF(flags);
    CARRY_OUT(is_creating(flags) ? judge_name(FAULTS_CREATE, "openat", folder, path) : GO,
              real(folder, path, flags, mode));
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    CARRY_OUT(judge_name(FAULTS_CREATE, "mkdir", AT_FDCWD, path), real(path, mode));
}

int mkdirat(int folder, const char *path, mode_t mode) {
    REAL(mkdirat);
    CARRY_OUT(judge_name(FAULTS_CREATE, "mkdirat", folder, path), real(folder, path, mode));
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(write);
    CARRY_OUT_WRITE(judge_file(FAULTS_WRITE, "write", file), real(file, bytes, count), real(file, bytes, (count + 1) / 2));
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite);
    CARRY_OUT_WRITE(judge_file(FAULTS_WRITE, "pwrite", file), real(file, bytes, count, offset),
                    real(file, bytes, (count + 1) / 2, offset));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    REAL(pwrite64);
    CARRY_OUT_WRITE(judge_file(FAULTS_WRITE, "pwrite", file), real(file, bytes, count, offset),
                    real(file, bytes, (count + 1) / 2, offset));
}

ssize_t writev(int file, const struct iovec *pieces, int count) {
    REAL(writev);
    CARRY_OUT_WRITE(judge_file(FAULTS_WRITE, "writev", file), real(file, pieces, count), real(file, pieces, (count + 1) / 2));
}

int ftruncate(int file, off_t size) {
    REAL(ftruncate);
    CARRY_OUT(judge_file(FAULTS_WRITE, "ftruncate", file), real(file, size));
}

int ftruncate64(int file, off64_t size) {
    REAL(ftruncate64);
    CARRY_OUT(judge_file(FAULTS_WRITE, "ftruncate", file), real(file, size));
}

int fallocate(int file, int mode, off_t offset, off_t size) {
    REAL(fallocate);
    CARRY_OUT(judge_file(FAULTS_WRITE, "fallocate", file), real(file, mode, offset, size));
}

int fallocate64(int file, int mode, off64_t offset, off64_t size) {
    REAL(fallocate64);
    CARRY_OUT(judge_file(FAULTS_WRITE, "fallocate", file), real(file, mode, offset, size));
}

int fsync(int file) {
    REAL(fsync);
    CARRY_OUT(judge_file(FAULTS_SYNC, "fsync", file), real(file));
}

int fdatasync(int file) {
    REAL(fdatasync);
    CARRY_OUT(judge_file(FAULTS_SYNC, "fdatasync", file), real(file));
}

int syncfs(int file) {
    REAL(syncfs);
    CARRY_OUT(judge_file(FAULTS_SYNC, "syncfs", file), real(file));
}

int rename(const char *from, const char *to) {
    REAL(rename);
    CARRY_OUT(judge_name(FAULTS_NAME, "rename", AT_FDCWD, to), real(from, to));
}

int renameat(int folder, const char *from, int other, const char *to) {
    REAL(renameat);
    CARRY_OUT(judge_name(FAULTS_NAME, "renameat", other, to), real(folder, from, other, to));
}

int renameat2(int folder, const char *from, int other, const char *to, unsigned flags) {
    REAL(renameat2);
    const char *call = flags & RENAME_EXCHANGE ? "renameat2 (exchange)" : "renameat2";
    CARRY_OUT(judge_name(FAULTS_NAME, call, other, to), real(folder, from, other, to, flags));
}

int link(const char *from, const char *to) {
    REAL(link);
    CARRY_OUT(judge_name(FAULTS_NAME, "link", AT_FDCWD, to), real(from, to));
}

int linkat(int folder, const char *from, int other, const char *to, int flags) {
    REAL(linkat);
    CARRY_OUT(judge_name(FAULTS_NAME, "linkat", other, to), real(folder, from, other, to, flags));
}

int unlink(const char *path) {
    REAL(unlink);
    CARRY_OUT(judge_name(FAULTS_REMOVE, "unlink", AT_FDCWD, path), real(path));
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(unlinkat);
    CARRY_OUT(judge_name(FAULTS_REMOVE, "unlinkat", folder, path), real(folder, path, flags));
}
