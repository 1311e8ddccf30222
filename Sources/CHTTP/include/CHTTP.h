#ifndef CONTACTSYNC_CHTTP_H
#define CONTACTSYNC_CHTTP_H

// libmicrohttpd, as much of it as a small read-only server needs: no thread, one descriptor to poll, whole answers.
// Its functions with variable arguments cannot be imported into Swift, so they are called here.

#include <stddef.h>
#include <stdint.h>

struct contactsync_http;
struct contactsync_http_exchange;

// Called in contactsync_http_run for each request; must call contactsync_http_answer once before it returns.
typedef void (*contactsync_http_handler)(void *context, struct contactsync_http_exchange *exchange);
typedef void (*contactsync_http_value)(void *context, const char *name, const char *value);

// Listens on a numeric address. On failure returns NULL and sets *error to an errno. context is kept until
// contactsync_http_stop and never read here.
struct contactsync_http *contactsync_http_start(
    const char *host, uint16_t port, contactsync_http_handler handle, void *context, int *error);
void contactsync_http_stop(struct contactsync_http *server);

uint16_t contactsync_http_port(const struct contactsync_http *server);
// Readable when there is something to do; the server's own.
int contactsync_http_descriptor(const struct contactsync_http *server);
// Does what is to be done, without waiting.
void contactsync_http_run(struct contactsync_http *server);
// Milliseconds after which run is to be called even if the descriptor stays silent, -1 for never.
int64_t contactsync_http_timeout(const struct contactsync_http *server);

// Strings of an exchange live as long as its handler runs; NULL for a header that is missing.
const char *contactsync_http_method(const struct contactsync_http_exchange *exchange);
const char *contactsync_http_path(const struct contactsync_http_exchange *exchange);
const char *contactsync_http_header(struct contactsync_http_exchange *exchange, const char *name);
void contactsync_http_query(struct contactsync_http_exchange *exchange, contactsync_http_value take, void *context);

// Answers with a copy of the bytes. headers: names and values in turn, count of strings in all.
void contactsync_http_answer(
    struct contactsync_http_exchange *exchange, unsigned status, const void *bytes, size_t size,
    const char *const *headers, size_t count);

#endif
