// What Notifying needs of libcurl, whose functions take variable arguments that Swift cannot pass.
//
// libcurl is opened when something is sent and not when the program starts: linked, it and its libraries would cost the
// watcher, which never sends anything itself, 3.7 MB of resident memory.

#pragma once

#include <stdbool.h>
#include <stddef.h>

/// One mail, one POST or one GET; all pointers belong to the caller and are used only during the call.
struct ccurl_request {
  const char *url;
  /// Null without a login.
  const char *user;
  const char *password;
  /// The sender and the one recipient of a mail; null for an HTTP request.
  const char *sender;
  const char *recipient;
  /// The headers of an HTTP request, each `Name: value`; ends with a null pointer.
  const char *const *headers;
  /// Whether it is a GET, which has no body.
  bool is_get;
  const char *body;
  size_t length;
  /// Whether nothing is sent over a connection that is not encrypted.
  bool needs_encryption;
  /// The file of certificates that a server's is proved by; null for the machine's.
  const char *authorities;
  long connect_milliseconds;
  long milliseconds;
  /// Asked about once a second; null when nobody can cancel.
  bool (*is_canceled)(void *context);
  void *context;
};

/// What came of it.
struct ccurl_answer {
  /// libcurl's result, CURLE_OK (0) when the server took it or, over HTTP, answered anything.
  int code;
  /// The server's last status; 0 when it said nothing.
  long status;
  /// Whether any of an HTTP request was sent, so that the server may have acted on it.
  bool is_sent;
  /// Where the caller has room for what the server said: the end of the SMTP dialogue, or the beginning of the body of an
  /// HTTP answer.
  char *words;
  size_t room;
  size_t length;
  /// Seconds after which the server wants to be asked again; 0 when it does not say.
  long retry_after;
  /// The headers about how often the server may be asked, one a line; ends with a zero byte.
  char limits[512];
  /// What libcurl says about a failure; ends with a zero byte.
  char failure[256];
};

/// Opens libcurl; returns why it cannot be opened, or null. Must return null before anything else is called.
const char *ccurl_open(void);

/// Sends the request and waits for the end; `words` and `room` are set by the caller, the rest is an answer. It does not follow redirects and speaks nothing but SMTP and HTTP.
void ccurl_send(const struct ccurl_request *request, struct ccurl_answer *answer);
