// The bound of a sync: one way over one TLS 1.3 connection, and nothing but the work that cannot be left out (inotify,
// read, send, temporary file, durable write, rename). No index, no merge, no conflicts; certificates are paid for, not judged.
//   bound_sync recv DIR PORT KEY CERTIFICATE batch     commits what has arrived: one syncfs, then all renames
//   bound_sync recv DIR PORT KEY CERTIFICATE each      one fsync a file
//   bound_sync send DIR PORT KEY CERTIFICATE all|live  all: sends what is there, then follows; live: follows only
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME = 120,         // bytes of a file's name at most
    FILE_SIZE = 1 << 17, // bytes of a file at most
    OUT = 1 << 18,      // bytes collected for one send
    IN = 1 << 22,       // bytes received and not yet taken apart
    BATCH = 8192,       // files of one commit at most
    FEW = 8,            // files that are cheaper flushed one by one
};

static SSL *tls;
static int tcp, dir;

static void die(const char *what) { perror(what); exit(1); }

static int anyone(int ok, X509_STORE_CTX *context) { (void)ok; (void)context; return 1; }

static SSL_CTX *context(int is_server, const char *key, const char *certificate) {
    SSL_CTX *c = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());
    SSL_CTX_set_min_proto_version(c, TLS1_3_VERSION);
    if (SSL_CTX_use_certificate_file(c, certificate, SSL_FILETYPE_PEM) != 1) exit(3);
    if (SSL_CTX_use_PrivateKey_file(c, key, SSL_FILETYPE_PEM) != 1) exit(3);
    SSL_CTX_set_verify(c, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, anyone);
    return c;
}

static void connect_to_other(int is_server, int port, SSL_CTX *c) {
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1;
    if (is_server) {
        int listener = socket(AF_INET, SOCK_STREAM, 0);
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        if (bind(listener, (void *)&a, sizeof a) || listen(listener, 1)) die("listen");
        tcp = accept(listener, 0, 0);
    } else {
        for (int tries = 0; tries < 500; tries++) {
            tcp = socket(AF_INET, SOCK_STREAM, 0);
            if (!connect(tcp, (void *)&a, sizeof a)) break;
            close(tcp);
            usleep(2000);
        }
    }
    setsockopt(tcp, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    tls = SSL_new(c);
    SSL_set_fd(tls, tcp);
    if ((is_server ? SSL_accept(tls) : SSL_connect(tls)) != 1) die("tls");
}

static int is_quiet(int descriptor) {
    struct pollfd p = {descriptor, POLLIN, 0};
    return poll(&p, 1, 0) == 0;
}

// The sending side. A file goes as: length of its name (16 bits), its size (32 bits), name, bytes.

static char out[OUT];
static int used;

static void flush_out(void) {
    for (int at = 0; at < used;) {
        int sent = SSL_write(tls, out + at, used - at);
        if (sent <= 0) exit(4);
        at += sent;
    }
    used = 0;
}

static void send_file(const char *name) {
    static char bytes[FILE_SIZE];
    if (name[0] == '.') return;
    int file = openat(dir, name, O_RDONLY);
    if (file < 0) return;
    int size = read(file, bytes, sizeof bytes);
    close(file);
    if (size < 0) return;
    unsigned short length = strlen(name);
    if (used + 6 + length + size > OUT) flush_out();
    memcpy(out + used, &length, 2);
    memcpy(out + used + 2, &size, 4);
    memcpy(out + used + 6, name, length);
    memcpy(out + used + 6 + length, bytes, size);
    used += 6 + length + size;
    if (used > OUT / 4) flush_out();
}

static void send_all(const char *path) {
    DIR *d = opendir(path);
    for (struct dirent *e; (e = readdir(d));) send_file(e->d_name);
    closedir(d);
    flush_out();
}

static void follow(int watch) {
    static char events[1 << 16] __attribute__((aligned(8)));
    for (long length; (length = read(watch, events, sizeof events)) > 0;) {
        for (char *at = events; at < events + length;) {
            struct inotify_event *e = (void *)at;
            if (e->mask & IN_Q_OVERFLOW) fprintf(stderr, "overflow: files are lost\n");
            else send_file(e->name);
            at += sizeof *e + e->len;
        }
        if (is_quiet(watch)) flush_out();
    }
}

// The receiving side.

static char pending[BATCH][NAME + 2];
static int waiting;

static void temporary(char *path, const char *name) { snprintf(path, NAME + 16, ".%.*s.tmp", NAME, name); }

static void commit(void) {
    char path[NAME + 16];
    if (waiting > FEW) {
        if (syncfs(dir)) die("syncfs");
    } else {
        for (int i = 0; i < waiting; i++) {
            temporary(path, pending[i]);
            int file = openat(dir, path, O_RDONLY);
            if (fsync(file)) die("fsync");
            close(file);
        }
    }
    for (int i = 0; i < waiting; i++) {
        temporary(path, pending[i]);
        renameat(dir, path, dir, pending[i]);
    }
    waiting = 0;
}

static void take(const char *name, unsigned length, const char *bytes, unsigned size) {
    char path[NAME + 16];
    memcpy(pending[waiting], name, length);
    pending[waiting][length] = 0;
    if (strchr(pending[waiting], '/')) exit(6);
    temporary(path, pending[waiting]);
    int file = openat(dir, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || write(file, bytes, size) != (long)size) die("write");
    close(file);
    waiting++;
}

static void receive(int batches) {
    char *in = malloc(IN);
    for (int have = 0;;) {
        int got = SSL_read(tls, in + have, IN - have), at = 0;
        if (got <= 0) return;
        have += got;
        while (have - at >= 6) {
            unsigned short length;
            unsigned size;
            memcpy(&length, in + at, 2);
            memcpy(&size, in + at + 2, 4);
            if (length > NAME || size > FILE_SIZE) exit(5);
            if (have - at < 6 + length + (int)size) break;
            take(in + at + 6, length, in + at + 6 + length, size);
            at += 6 + length + size;
            if (!batches || waiting == BATCH) commit();
        }
        memmove(in, in + at, have - at);
        have -= at;
        if (waiting && !SSL_pending(tls) && is_quiet(tcp)) commit();
    }
}

int main(int count, char **arguments) {
    if (count != 7) return 2;
    signal(SIGPIPE, SIG_IGN);
    int receives = arguments[1][0] == 'r', watch = -1;
    dir = open(arguments[2], O_RDONLY | O_DIRECTORY);
    if (dir < 0) die(arguments[2]);
    if (!receives) {
        watch = inotify_init1(IN_CLOEXEC);
        inotify_add_watch(watch, arguments[2], IN_MOVED_TO | IN_CLOSE_WRITE);
    }
    connect_to_other(receives, atoi(arguments[3]), context(receives, arguments[4], arguments[5]));
    if (receives) {
        receive(!strcmp(arguments[6], "batch"));
    } else {
        if (!strcmp(arguments[6], "all")) send_all(arguments[2]);
        follow(watch);
    }
}
