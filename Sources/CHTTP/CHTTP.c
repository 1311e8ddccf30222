#include "CHTTP.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <microhttpd.h>

// Limits of a server for one person: more connections wait or are refused, none stays without saying anything.
enum {
    CONNECTIONS = 64,
    SECONDS_OF_SILENCE = 30,
    // Bytes of a request's head.
    HEAD = 32 * 1024,
};

struct contactsync_http {
    struct MHD_Daemon *daemon;
    contactsync_http_handler handle;
    void *context;
};

struct contactsync_http_exchange {
    struct MHD_Connection *connection;
    const char *method, *path;
    enum MHD_Result result;
};

static enum MHD_Result respond(
    void *own, struct MHD_Connection *connection, const char *path, const char *method, const char *version,
    const char *upload, size_t *upload_size, void **state)
{
    struct contactsync_http *server = own;
    (void)version;
    (void)upload;
    // The first call comes before the body. What has a body is answered at once, which ends the connection.
    int may_have_body = strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0;
    if (*state == NULL) {
        *state = server;
        if (!may_have_body) return MHD_YES;
    } else if (*upload_size != 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    struct contactsync_http_exchange exchange = {connection, method, path, MHD_NO};
    server->handle(server->context, &exchange);
    return exchange.result;
}

struct contactsync_http *contactsync_http_start(
    const char *host, uint16_t port, contactsync_http_handler handle, void *context, int *error)
{
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_PASSIVE, .ai_socktype = SOCK_STREAM}, *found = NULL;
    if (getaddrinfo(host, NULL, &hints, &found) != 0) {
        *error = EINVAL;
        return NULL;
    }
    unsigned flags = MHD_USE_EPOLL;
    if (found->ai_family == AF_INET6) {
        flags |= MHD_USE_IPv6;
        ((struct sockaddr_in6 *)(void *)found->ai_addr)->sin6_port = htons(port);
    } else {
        ((struct sockaddr_in *)(void *)found->ai_addr)->sin_port = htons(port);
    }
    struct contactsync_http *server = calloc(1, sizeof *server);
    if (server == NULL) {
        freeaddrinfo(found);
        *error = ENOMEM;
        return NULL;
    }
    server->handle = handle;
    server->context = context;
    errno = 0;
    server->daemon = MHD_start_daemon(
        flags, port, NULL, NULL, respond, server,
        MHD_OPTION_SOCK_ADDR, found->ai_addr,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SECONDS_OF_SILENCE,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEAD,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_END);
    *error = errno != 0 ? errno : EADDRINUSE;
    freeaddrinfo(found);
    if (server->daemon == NULL) {
        free(server);
        return NULL;
    }
    *error = 0;
    return server;
}

void contactsync_http_stop(struct contactsync_http *server)
{
    MHD_stop_daemon(server->daemon);
    free(server);
}

uint16_t contactsync_http_port(const struct contactsync_http *server)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

int contactsync_http_descriptor(const struct contactsync_http *server)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

void contactsync_http_run(struct contactsync_http *server)
{
    MHD_run(server->daemon);
}

int64_t contactsync_http_timeout(const struct contactsync_http *server)
{
    MHD_UNSIGNED_LONG_LONG milliseconds;
    return MHD_get_timeout(server->daemon, &milliseconds) == MHD_YES ? (int64_t)milliseconds : -1;
}

const char *contactsync_http_method(const struct contactsync_http_exchange *exchange)
{
    return exchange->method;
}

const char *contactsync_http_path(const struct contactsync_http_exchange *exchange)
{
    return exchange->path;
}

const char *contactsync_http_header(struct contactsync_http_exchange *exchange, const char *name)
{
    return MHD_lookup_connection_value(exchange->connection, MHD_HEADER_KIND, name);
}

struct taker {
    contactsync_http_value take;
    void *context;
};

static enum MHD_Result take(void *own, enum MHD_ValueKind kind, const char *name, const char *value)
{
    const struct taker *taker = own;
    (void)kind;
    taker->take(taker->context, name, value == NULL ? "" : value);
    return MHD_YES;
}

void contactsync_http_query(struct contactsync_http_exchange *exchange, contactsync_http_value body, void *context)
{
    struct taker taker = {body, context};
    MHD_get_connection_values(exchange->connection, MHD_GET_ARGUMENT_KIND, take, &taker);
}

void contactsync_http_answer(
    struct contactsync_http_exchange *exchange, unsigned status, const void *bytes, size_t size,
    const char *const *headers, size_t count)
{
    // The library copies and does not change what it is given here.
    struct MHD_Response *response =
        MHD_create_response_from_buffer(size, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    if (response == NULL) return;
    for (size_t i = 0; i + 1 < count; i += 2) MHD_add_response_header(response, headers[i], headers[i + 1]);
    exchange->result = MHD_queue_response(exchange->connection, status, response);
    MHD_destroy_response(response);
}
