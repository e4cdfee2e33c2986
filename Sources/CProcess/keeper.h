// The two halves that run after fork, where only async-signal-safe functions may be called
// (https://man7.org/linux/man-pages/man7/signal-safety.7.html).

#pragma once

#include "CProcess.h"

/// The descriptors of a keeper; all but the first three are closed by exec.
enum { CONTROL = 3, OUTPUT = 4, ERROR = 5, FIRST_FREE = 7 };

/// Why a program could not be started.
struct failure {
  enum cprocess_stage stage;
  int code;
};

/// What a program that gets a network of its own asks for the way out of it, and hears; -1 twice for no such network.
struct way {
  int ask;
  int answer;
};

/// Writes a pattern with a number in the place of each "#".
void cprocess_fill(char *text, const char *pattern, unsigned number);

/// Starts the program that will lead out of a network, if there is one; returns 0, or -1 with errno set.
int cprocess_hire_router(const char *router, struct way *way);

/// Makes this process root of a user namespace with nobody else, and moves it to other new namespaces, which belong to that
/// one; returns 0, or -1 with errno set. It may be called in the child of vfork.
int cprocess_enter(int namespaces);

/// Has this process's new network led out to the outside, if there is a way; returns 0, or -1 with errno set. It may be
/// called in the child of vfork.
int cprocess_take_way(const struct way *way);

/// Mounts views of folders in this process's new mount namespace; returns 0, or -1 with errno set. It changes the folder that
/// this process is in, and may be called in the child of vfork.
int cprocess_mount_views(char *const *views);

/// Lives as the keeper of one command. The three descriptors are FIRST_FREE or above; all signals are blocked.
_Noreturn void cprocess_keep(const struct cprocess_command *command, int control, int output, int error);

/// Starts the command, which is to report to a descriptor, or to none (-1), in a network with a way out, or in the caller's;
/// returns its process id, or -1 with the failure.
pid_t cprocess_launch(
    const struct cprocess_command *command, int status, const struct way *way, struct failure *failure);
