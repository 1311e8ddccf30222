#ifndef FAULTS_H
#define FAULTS_H

#include <stdint.h>

// A library to be preloaded into a daemon under test. It counts the calls with which that process changes what lies
// on the disk below FAULTS_ROOT, and lets chosen ones go wrong: the process is killed at them, or they fail. Which
// ones is said in the file FAULTS_CONTROL, which both sides map, so a test can let the disk break and get well again
// while the daemon runs. The file begins with a struct faults_control, all zero where nothing goes wrong.

enum faults_kind {
    FAULTS_CREATE = 1, // open with O_CREAT, mkdir
    FAULTS_WRITE = 2,  // write, pwrite, writev, ftruncate, fallocate
    FAULTS_SYNC = 4,   // fsync, fdatasync, syncfs
    FAULTS_NAME = 8,   // rename, link
    FAULTS_REMOVE = 16 // unlink
};

enum faults_action {
    FAULTS_FAIL = 0,        // the call does nothing and fails with `error`
    FAULTS_SHORT = 1,       // a write writes half; other calls fail with `error`
    FAULTS_KILL_BEFORE = 2, // the process ends before the call
    FAULTS_KILL_HALF = 3,   // it ends when half is written; other calls are carried out first
    FAULTS_STALL = 4        // the call takes half a second
};

struct faults_control {
    int64_t calls;  // calls of the kinds below so far; written by the process
    int64_t hits;   // of these gone wrong
    int64_t first;  // the number of the first call to go wrong; 0: none
    int64_t last;   // the number of the last one
    int64_t kinds;  // which calls count
    int64_t action; // what happens to them
    int64_t error;  // an errno
    int64_t place;  // 0: everywhere below the root; 1: below FAULTS_BOOK only; 2: everywhere else below the root
    char where[512]; // the call that was hit last, for people
};

#endif
