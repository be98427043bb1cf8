// libcurl as Swift can call it. `curl_easy_setopt` and `curl_easy_getinfo` take a variable argument, which Swift does not import:
// here is one function for each type of argument. The Swift side pairs option and type in one enum.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode dragoman_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dragoman_curl_set_off(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dragoman_curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dragoman_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

// libcurl keeps a copy.
static inline CURLcode dragoman_curl_set_blob(CURL *handle, CURLoption option, const void *data, size_t count) {
  struct curl_blob blob = {(void *)data, count, CURL_BLOB_COPY};
  return curl_easy_setopt(handle, option, &blob);
}

static inline CURLcode dragoman_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

// `CURLOPT_WRITEFUNCTION`, `_READFUNCTION` and `_HEADERFUNCTION` share one shape.
typedef size_t (*dragoman_curl_data_function)(char *buffer, size_t size, size_t count, void *payload);

static inline CURLcode dragoman_curl_set_data_function(CURL *handle, CURLoption option, dragoman_curl_data_function value) {
  return curl_easy_setopt(handle, option, value);
}

typedef int (*dragoman_curl_seek_function)(void *payload, curl_off_t offset, int origin);

static inline CURLcode dragoman_curl_set_seek_function(CURL *handle, dragoman_curl_seek_function value) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

typedef int (*dragoman_curl_progress_function)(
    void *payload, curl_off_t expected_down, curl_off_t down, curl_off_t expected_up, curl_off_t up);

static inline CURLcode dragoman_curl_set_progress_function(CURL *handle, dragoman_curl_progress_function value) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, value);
}

static inline CURLcode dragoman_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode dragoman_curl_get_off(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode dragoman_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
  return curl_multi_setopt(handle, option, value);
}

// The text belongs to the handle.
static inline CURLcode dragoman_curl_get_string(CURL *handle, CURLINFO info, const char **value) {
  return curl_easy_getinfo(handle, info, value);
}

// Of a message whose kind is CURLMSG_DONE.
static inline CURLcode dragoman_curl_message_result(const CURLMsg *message) { return message->data.result; }
