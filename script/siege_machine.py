"""What script/siege puts on the machine for attempts to find, and how it looks at files and processes."""
import ctypes, os, socket, subprocess, threading

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
KEYS = {"x86_64": (248, 250), "aarch64": (217, 219)}[os.uname().machine]


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def write(path, text, mode=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    if mode is not None:
        os.chmod(path, mode)


def remove(folder):
    """Removes what foreign code left, whatever its modes and depth."""
    subprocess.run(["chmod", "-R", "u+rwx", folder], stderr=subprocess.DEVNULL)
    subprocess.run(["rm", "-rf", folder], stderr=subprocess.DEVNULL)
    if os.path.lexists(folder):
        subprocess.run(["find", folder, "-delete"], stderr=subprocess.DEVNULL)


def living(marker, but):
    """The processes with a mark in their environment or, without any, in their name."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) in but:
            continue
        environment = read(f"/proc/{pid}/environ")
        is_ours = marker.encode() in environment or (
            not environment and f"sleep-{marker}".encode() in read(f"/proc/{pid}/cmdline"))
        if is_ours and read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[:1] not in ([b"Z"], [b"X"], []):
            found.append(int(pid))
    return found


class Keys:
    """A session keyring with keys that nobody but the caller may read."""

    def __init__(self):
        self.call(KEYS[1], 1, b"siege")

    @staticmethod
    def call(*words):
        words = [ctypes.c_char_p(word) if isinstance(word, bytes) else ctypes.c_long(word) for word in words]
        return libc.syscall(*words)

    def add(self, name, secret):
        """Whether there is a keyring, which a container may refuse."""
        return self.call(KEYS[0], b"user", f"siege-decoy-{name}".encode(), secret.encode(), len(secret), -3) > 0

    def planted(self, name):
        """What was planted, and takes it away."""
        found = []
        for line in read("/proc/keys").decode(errors="replace").splitlines():
            if f"siege-planted-{name}" in line:
                found.append(line.partition("siege-planted-")[2].partition(":")[0])
                for ring in (-3, -4, -5):
                    self.call(KEYS[1], 9, int(line.split()[0], 16), ring)
                self.call(KEYS[1], 3, int(line.split()[0], 16))
        return found


class Door:
    """Services of the machine that no code under test may call."""

    def __init__(self, folder, name):
        self.calls = []
        tcp = socket.socket(socket.AF_INET6)
        tcp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        tcp.bind(("::", 0))
        self.port = tcp.getsockname()[1]
        udp = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        udp.bind(("::", self.port))
        abstract, path = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        self.abstract = name
        abstract.bind("\0" + name)
        path.bind(folder + "/socket")
        os.chmod(folder + "/socket", 0o777)
        for door in (tcp, abstract, path):
            door.listen()
        for door in (tcp, abstract, path, udp):
            threading.Thread(target=self.answer, args=[door], daemon=True).start()

    def answer(self, door):
        while True:
            if door.type == socket.SOCK_DGRAM:
                data = door.recv(200)
            else:
                guest, _ = door.accept()
                guest.settimeout(5)
                try:
                    data = guest.recv(200)
                except OSError:
                    data = b""
                guest.close()
            self.calls.append(data.decode(errors="replace"))
