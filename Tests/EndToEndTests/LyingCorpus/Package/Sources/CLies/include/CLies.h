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

/// Makes the package's own functions of the C library lie.
void lies_interpose(void);
/// Whether they do.
int lies_interposes(void);
/// Waits until the main thread has let go.
void lies_wait(void);
void lies_let_go(void);
/// How often something that ran before `main` saw the way to Martlet.
int lies_found_channel(void);
/// Has the kernel say of messages that they were sent, from the next failure on; 0, or why not.
int lies_drop_messages(void);
/// Goes on twice; returns 0 in the child.
int lies_fork(void);
/// Writes to every stream that the C library knows but the standard ones, and returns how many there are.
int lies_write_everywhere(const char *text);
