#include "CCurl.h"

// Also old names of options are set, for a libcurl that knows no other.
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// libcurl's macros around these names check types and would hide the names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

static struct {
  CURLcode (*global_init)(long);
  CURL *(*init)(void);
  CURLcode (*setopt)(CURL *, CURLoption, ...);
  CURLcode (*perform)(CURL *);
  CURLcode (*getinfo)(CURL *, CURLINFO, ...);
  void (*cleanup)(CURL *);
  const char *(*strerror)(CURLcode);
  struct curl_slist *(*append)(struct curl_slist *, const char *);
  void (*free_all)(struct curl_slist *);
} curl;

static const char *trouble;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void) {
  // The name of the library on every Linux since 2006: its interface has not changed.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  // Debian's name of the one that is built with GnuTLS.
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    trouble = "libcurl.so.4 cannot be opened";
    return;
  }
#define FIND(field, name) \
  if (!(*(void **)&curl.field = dlsym(library, name))) trouble = "libcurl.so.4 lacks " name
  FIND(global_init, "curl_global_init");
  FIND(init, "curl_easy_init");
  FIND(setopt, "curl_easy_setopt");
  FIND(perform, "curl_easy_perform");
  FIND(getinfo, "curl_easy_getinfo");
  FIND(cleanup, "curl_easy_cleanup");
  FIND(strerror, "curl_easy_strerror");
  FIND(append, "curl_slist_append");
  FIND(free_all, "curl_slist_free_all");
  // Without signals of its own (below) libcurl leaves this one to us: a server that hangs up must not end the program.
  signal(SIGPIPE, SIG_IGN);
  if (!trouble && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) trouble = "libcurl.so.4 cannot be initialized";
}

const char *ccurl_open(void) {
  pthread_once(&once, open_library);
  return trouble;
}

struct reading {
  const char *next;
  size_t left;
};

static size_t give(char *place, size_t size, size_t count, void *context) {
  struct reading *reading = context;
  size_t amount = size * count < reading->left ? size * count : reading->left;
  memcpy(place, reading->next, amount);
  reading->next += amount;
  reading->left -= amount;
  return amount;
}

/// Keeps the beginning; the rest is read and let go.
static size_t take(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl_answer *answer = context;
  size_t room = answer->room - answer->length;
  size_t amount = size * count < room ? size * count : room;
  memcpy(answer->words + answer->length, bytes, amount);
  answer->length += amount;
  return size * count;
}

/// Keeps the end, which tells what became of a mail.
static size_t take_line(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl_answer *answer = context;
  if (size * count <= answer->room) {
    size_t excess = answer->length + size * count;
    excess = excess > answer->room ? excess - answer->room : 0;
    answer->length -= excess;
    memmove(answer->words, answer->words + excess, answer->length);
  }
  return take(bytes, size, count, context);
}

/// Keeps the headers that say how often a server may be asked.
static size_t take_limit(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl_answer *answer = context;
  size_t length = size * count, used = strlen(answer->limits);
  int is_limit = (length > 10 && !strncasecmp(bytes, "ratelimit-", 10)) ||
                 (length > 12 && !strncasecmp(bytes, "x-ratelimit-", 12));
  if (is_limit && !memchr(bytes, 0, length) && used + length < sizeof answer->limits) {
    memcpy(answer->limits + used, bytes, length);
    answer->limits[used + length] = 0;
  }
  return length;
}

static int progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
  (void)a, (void)b, (void)c, (void)d;
  const struct ccurl_request *request = context;
  return request->is_canceled && request->is_canceled(request->context);
}

static struct curl_slist *list(const char *const *texts) {
  struct curl_slist *list = NULL;
  for (; texts && *texts; texts++) {
    struct curl_slist *longer = curl.append(list, *texts);
    if (!longer) break;
    list = longer;
  }
  return list;
}

// Sets an option, unless one before was refused.
#define SET(option, value) \
  if (code == CURLE_OK) code = curl.setopt(handle, option, value)

/// Names the only protocols that are spoken. libcurl knows them by name since 7.85, by number since 7.19.4; which one
/// was opened has nothing to do with the header.
static CURLcode set_protocols(CURL *handle, const char *names, long numbers) {
#if LIBCURL_VERSION_NUM >= 0x075500
  CURLcode code = curl.setopt(handle, CURLOPT_PROTOCOLS_STR, names);
  if (code != CURLE_UNKNOWN_OPTION) return code;
#else
  (void)names;
#endif
  return curl.setopt(handle, CURLOPT_PROTOCOLS, numbers);
}

/// Proves servers by one file and nothing else. libcurl goes on to trust the machine's folder of certificates unless that is
/// taken away; where its TLS library knows no such folder, there is none to take away.
static CURLcode set_authorities(CURL *handle, const char *file) {
  CURLcode code = curl.setopt(handle, CURLOPT_CAINFO, file);
  if (code != CURLE_OK) return code;
  code = curl.setopt(handle, CURLOPT_CAPATH, (const char *)NULL);
  return code == CURLE_NOT_BUILT_IN || code == CURLE_UNKNOWN_OPTION ? CURLE_OK : code;
}

static CURLcode set_mail(CURL *handle, const struct ccurl_request *request, struct curl_slist *to,
                         struct reading *body, struct ccurl_answer *answer) {
  CURLcode code = set_protocols(handle, "smtp,smtps", CURLPROTO_SMTP | CURLPROTO_SMTPS);
  SET(CURLOPT_USE_SSL, (long)(request->needs_encryption ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  SET(CURLOPT_MAIL_FROM, request->sender);
  SET(CURLOPT_MAIL_RCPT, to);
  SET(CURLOPT_UPLOAD, 1L);
  SET(CURLOPT_READFUNCTION, give);
  SET(CURLOPT_READDATA, body);
  SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->length);
  SET(CURLOPT_HEADERFUNCTION, take_line);
  SET(CURLOPT_HEADERDATA, answer);
  if (request->user) {
    SET(CURLOPT_USERNAME, request->user);
    SET(CURLOPT_PASSWORD, request->password);
  }
  return code;
}

static CURLcode set_http(CURL *handle, const struct ccurl_request *request, struct curl_slist *headers,
                         struct ccurl_answer *answer) {
  CURLcode code = set_protocols(handle, "http,https", CURLPROTO_HTTP | CURLPROTO_HTTPS);
  SET(CURLOPT_HTTPHEADER, headers);
  if (request->is_get) {
    SET(CURLOPT_HTTPGET, 1L);
  } else {
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->length);
    SET(CURLOPT_POSTFIELDS, request->body);
  }
  SET(CURLOPT_HEADERFUNCTION, take_limit);
  SET(CURLOPT_HEADERDATA, answer);
  return code;
}

void ccurl_send(const struct ccurl_request *request, struct ccurl_answer *answer) {
  *answer = (struct ccurl_answer){.words = answer->words, .room = answer->room};
  CURL *handle = curl.init();
  if (!handle) {
    answer->code = CURLE_OUT_OF_MEMORY;
    snprintf(answer->failure, sizeof answer->failure, "%s", curl.strerror(CURLE_OUT_OF_MEMORY));
    return;
  }
  char failure[CURL_ERROR_SIZE] = "";
  const char *recipients[] = {request->recipient, NULL};
  struct curl_slist *lines = list(request->recipient ? recipients : request->headers);
  struct reading body = {request->body, request->length};
  CURLcode code = curl.setopt(handle, CURLOPT_URL, request->url);
  // Signals belong to the whole program.
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_ERRORBUFFER, failure);
  SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  SET(CURLOPT_TIMEOUT_MS, request->milliseconds);
  SET(CURLOPT_WRITEFUNCTION, take);
  SET(CURLOPT_WRITEDATA, answer);
  SET(CURLOPT_NOPROGRESS, 0L);
  SET(CURLOPT_XFERINFOFUNCTION, progress);
  SET(CURLOPT_XFERINFODATA, request);
  if (code == CURLE_OK && request->authorities) code = set_authorities(handle, request->authorities);
  if (code == CURLE_OK) {
    code = request->recipient ? set_mail(handle, request, lines, &body, answer) : set_http(handle, request, lines, answer);
  }
  if (code == CURLE_OK) {
    code = curl.perform(handle);
    curl.getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
    long sent = 0;
    answer->is_sent = curl.getinfo(handle, CURLINFO_REQUEST_SIZE, &sent) == CURLE_OK && sent > 0;
#if LIBCURL_VERSION_NUM >= 0x074200
    curl_off_t retry_after = 0;
    if (curl.getinfo(handle, CURLINFO_RETRY_AFTER, &retry_after) == CURLE_OK && retry_after > 0) {
      answer->retry_after = retry_after < 1000000000 ? (long)retry_after : 1000000000;
    }
#endif
    if (code != CURLE_OK) {
      snprintf(answer->failure, sizeof answer->failure, "%s", *failure ? failure : curl.strerror(code));
    }
  } else {
    // What was refused may be what keeps it to these protocols, or to encryption.
    snprintf(answer->failure, sizeof answer->failure, "libcurl cannot be set as it must be: %s", curl.strerror(code));
  }
  answer->code = code;
  curl.cleanup(handle);
  curl.free_all(lines);
}
