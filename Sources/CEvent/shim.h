#pragma once

// With the feature macros as Glibc's Swift module has them: what both define must be the same.
#include <sys/types.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>

// The list of headers is made of macros, which Swift does not import; null at its end.

static inline struct evkeyval *shim_first_header(struct evkeyvalq *headers) { return headers->tqh_first; }

static inline struct evkeyval *shim_next_header(struct evkeyval *header) { return header->next.tqe_next; }
