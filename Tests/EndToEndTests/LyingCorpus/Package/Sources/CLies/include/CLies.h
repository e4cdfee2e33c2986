// What Swift does not let a test do.

/// Leaves a child that keeps standard output open.
void lies_leave_child(void);
/// Leaves a grandchild in a session of its own that keeps standard output open.
void lies_leave_daemon(void);
/// Makes two hundred children and waits; growing without end could harm the machine that the corpus runs on.
void lies_multiply(void);
/// Makes /usr writable, and writes there; returns whether anything of it worked.
int lies_remount(void);
/// Makes a user namespace; returns whether that worked.
int lies_nest(void);
/// Reaches a service of the machine; returns whether it answered.
int lies_call(int port);
