// libcrypto of OpenSSL as Swift can call it: signatures with RSA, for the JSON web tokens of GitHub apps.
#pragma once

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
