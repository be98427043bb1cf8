// libcrypto of OpenSSL as Swift can call it: SHA-256 by the functions that keep their state in a value of the caller, which OpenSSL 3
// still has for programs written for 1.1. Those that came after them allocate for each digest. MD5 is only for what others sign with it.
#pragma once

#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/md5.h>
#include <openssl/sha.h>
