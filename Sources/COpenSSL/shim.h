#pragma once
// OpenSSL 3 marks the direct SHA-256 functions as old; they are the fast ones (SHA256.swift).
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
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

static inline int shim_SSL_CTX_set_max_cert_list(SSL_CTX *context, long bytes) {
    SSL_CTX_set_max_cert_list(context, bytes);
    return SSL_CTX_get_max_cert_list(context) == bytes;
}

static inline void shim_SSL_CTX_no_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
