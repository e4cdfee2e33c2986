"""What attempts stand on: where they aim, and what they see of the place they run in."""
import ctypes, errno, json, os, sys

here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
place = sys.argv[1]
with open(here + "/Targets.json") as file:
    aim = json.load(file)
outside, token = aim["outside"], aim["token"]
current = [""]  # the attempt that is made
MACHINE = os.uname().machine


def mark():
    return f"{place}-{current[0]}"


def say(words):
    """Tells on standard output, and in the file that the caller names where that is shown to nobody."""
    print("SIEGE " + words, flush=True)
    if len(sys.argv) > 2:
        with open(sys.argv[2], "a") as file:
            file.write(f"SIEGE {words}\n")


def through(words):
    say(f"THROUGH {mark()}: {words}")


def offspring():
    """A child that holds nothing which its parent's parent waits for."""
    number = os.fork()
    if number == 0:
        os.closerange(3, 1024)
        if place != "test":
            # A build waits for its output to end, and that it is stopped in the end is no attempt.
            for descriptor in (0, 1, 2):
                os.dup2(os.open("/dev/null", os.O_RDWR), descriptor)
    return number


def reveal(data):
    """Says it when something holds what only the caller has."""
    text = data.decode(errors="replace") if isinstance(data, bytes) else str(data)
    if aim["words"] in text:
        through(f"read {text.strip()[-300:]}")


def call(number, *words):
    """A system call by its number on x86-64 and, where that differs, on arm64; bytes are passed by their address."""
    ctypes.set_errno(0)
    number = number[MACHINE == "aarch64"] if isinstance(number, tuple) else number
    words = [ctypes.c_char_p(word) if isinstance(word, bytes) else ctypes.c_long(word) for word in words]
    return libc.syscall(ctypes.c_long(number), *words)


def must_fail(number, *words):
    """Says it when a system call that nothing in a test needs is carried out, or only its arguments are refused."""
    value = call(number, *words)
    error = ctypes.get_errno()
    if value >= 0 or error not in (errno.EPERM, errno.ENOSYS, errno.EACCES, errno.EAFNOSUPPORT, errno.ENODEV, errno.ENOSPC, errno.ENOENT):
        through(f"the call gave {value}, {errno.errorcode.get(error, error)}")
    if value > 2:
        os.close(value) if os.path.exists(f"/proc/self/fd/{value}") else None


def is_blocked(action, *words, **named):
    try:
        return action(*words, **named), False
    except OSError:
        return None, True


def quietly(action, *words, **named):
    """The value of an action; nil where the system refuses it."""
    try:
        return action(*words, **named)
    except OSError:
        return None


def put(path, text="siege", mode=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    if mode is not None:
        os.chmod(path, mode)


def spots():
    """Folders that can be written here: source, home, temporary files and what is handed back."""
    found = [here, os.environ.get("HOME", "/tmp"), os.environ.get("TMPDIR", "/tmp"), "/tmp", "/var/tmp", "/dev/shm", handed(), scratch()]
    return [folder for folder in dict.fromkeys(found) if folder and os.path.isdir(folder)]


def handed():
    """Where Martlet finds what tests hand back."""
    for part in os.environ.get("SWIFT_BACKTRACE", "").split(","):
        if part.startswith("output-to="):
            return part[len("output-to="):].split("/crashes/")[0]
    return None


def profiles():
    return os.path.dirname(os.environ.get("LLVM_PROFILE_FILE", "")) or None


def scratch():
    """SwiftPM's folder of this package."""
    with open("/proc/self/mountinfo") as file:
        for line in file:
            point = line.split()[4]
            if "/build/" in point and "workspaces" in point:
                return point
    return aim.get("scratch")
