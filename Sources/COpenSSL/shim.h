#pragma once
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros of OpenSSL that Swift cannot import, as functions of nearly their name.

static inline int shim_SSL_CTX_set_protocol(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version)
        && SSL_CTX_set_max_proto_version(context, version);
}

static inline void shim_SSL_CTX_release_buffers(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static inline void shim_SSL_CTX_no_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
