#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

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
  size_t room = sizeof answer->words - answer->length;
  size_t amount = size * count < room ? size * count : room;
  memcpy(answer->words + answer->length, bytes, amount);
  answer->length += amount;
  return size * count;
}

/// Keeps the end, which tells what became of a mail.
static size_t take_line(char *bytes, size_t size, size_t count, void *context) {
  struct ccurl_answer *answer = context;
  if (size * count <= sizeof answer->words) {
    size_t excess = answer->length + size * count;
    excess = excess > sizeof answer->words ? excess - sizeof answer->words : 0;
    answer->length -= excess;
    memmove(answer->words, answer->words + excess, answer->length);
  }
  return take(bytes, size, count, context);
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

static void set_mail(CURL *handle, const struct ccurl_request *request, struct curl_slist *to, struct reading *body,
                     struct ccurl_answer *answer) {
  curl.setopt(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  curl.setopt(handle, CURLOPT_USE_SSL, (long)(request->needs_encryption ? CURLUSESSL_ALL : CURLUSESSL_TRY));
  curl.setopt(handle, CURLOPT_MAIL_FROM, request->sender);
  curl.setopt(handle, CURLOPT_MAIL_RCPT, to);
  curl.setopt(handle, CURLOPT_UPLOAD, 1L);
  curl.setopt(handle, CURLOPT_READFUNCTION, give);
  curl.setopt(handle, CURLOPT_READDATA, body);
  curl.setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)request->length);
  curl.setopt(handle, CURLOPT_HEADERFUNCTION, take_line);
  curl.setopt(handle, CURLOPT_HEADERDATA, answer);
  if (request->user) {
    curl.setopt(handle, CURLOPT_USERNAME, request->user);
    curl.setopt(handle, CURLOPT_PASSWORD, request->password);
  }
}

static void set_post(CURL *handle, const struct ccurl_request *request, struct curl_slist *headers) {
  curl.setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl.setopt(handle, CURLOPT_POST, 1L);
  curl.setopt(handle, CURLOPT_HTTPHEADER, headers);
  curl.setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->length);
  curl.setopt(handle, CURLOPT_POSTFIELDS, request->body);
}

void ccurl_send(const struct ccurl_request *request, struct ccurl_answer *answer) {
  memset(answer, 0, sizeof *answer);
  CURL *handle = curl.init();
  if (!handle) {
    answer->code = CURLE_OUT_OF_MEMORY;
    strncpy(answer->failure, curl.strerror(CURLE_OUT_OF_MEMORY), sizeof answer->failure - 1);
    return;
  }
  char failure[CURL_ERROR_SIZE] = "";
  const char *recipients[] = {request->recipient, NULL};
  struct curl_slist *lines = list(request->recipient ? recipients : request->headers);
  struct reading body = {request->body, request->length};
  curl.setopt(handle, CURLOPT_URL, request->url);
  // Signals belong to the whole program.
  curl.setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl.setopt(handle, CURLOPT_ERRORBUFFER, failure);
  curl.setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
  curl.setopt(handle, CURLOPT_TIMEOUT_MS, request->milliseconds);
  curl.setopt(handle, CURLOPT_WRITEFUNCTION, take);
  curl.setopt(handle, CURLOPT_WRITEDATA, answer);
  curl.setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl.setopt(handle, CURLOPT_XFERINFOFUNCTION, progress);
  curl.setopt(handle, CURLOPT_XFERINFODATA, request);
  if (request->recipient) {
    set_mail(handle, request, lines, &body, answer);
  } else {
    set_post(handle, request, lines);
  }
  CURLcode code = curl.perform(handle);
  answer->code = code;
  curl.getinfo(handle, CURLINFO_RESPONSE_CODE, &answer->status);
  if (code != CURLE_OK) {
    strncpy(answer->failure, *failure ? failure : curl.strerror(code), sizeof answer->failure - 1);
  }
  curl.cleanup(handle);
  curl.free_all(lines);
}
