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

/// Lives as the keeper of one command. The three descriptors are FIRST_FREE or above; all signals are blocked.
_Noreturn void cprocess_keep(const struct cprocess_command *command, int control, int output, int error);

/// Starts the command, which is to report to a descriptor, or to none (-1); returns its process id, or -1 with the failure.
pid_t cprocess_launch(const struct cprocess_command *command, int status, struct failure *failure);
