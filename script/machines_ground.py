"""What script/torture-machines and script/bench-machines stand on: an sshd on the loopback, and a toolchain that is a stub."""
import json, os, shutil, signal, socket, subprocess, time

from torture_model import write

PAUSE = 0.05


def environment_of(work):
    """The environment of a watcher whose home, settings and toolchain are in a folder."""
    return {
        "PATH": f"{work}/toolchain/usr/bin:{os.environ['PATH']}", "HOME": work, "MARTLET_HOME": work + "/home",
        "MARTLET_CONFIG": work + "/config", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
        **{f"GIT_{who}_{what}": "torture@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }


def make_toolchain(folder, build):
    """Makes a toolchain whose build is a script for bash."""
    about = {"compilerVersion": "Swift version 6.0 (stub)", "paths": {"runtimeResourcePath": folder + "/usr/lib/swift"}}
    for name, body in {
        "swift": "exit 0", "llvm-cov": "exit 0", "swiftc": f"echo '{json.dumps(about)}'", "swift-build": build,
        "swift-package": """echo '{"name":"stub","path":"'"$PWD"'","targets":[],"products":[]}'""",
    }.items():
        write(f"{folder}/usr/bin/{name}", f"#!/bin/bash\n{body}\n", 0o755)


class Sshd:
    """An sshd that lets one key in, with all that it needs in one folder, and to no shell's own settings."""

    def __init__(self, work):
        self.work = work
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        os.makedirs(work + "/ssh")
        for name in "host", "user":
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{work}/ssh/{name}"], check=True)
        shutil.copy(work + "/ssh/user.pub", work + "/ssh/authorized")
        with open(work + "/ssh/host.pub") as key:
            write(work + "/ssh/known", f"[127.0.0.1]:{self.port} {' '.join(key.read().split()[:2])}\n")
        write(work + "/ssh/config", f"""Port {self.port}
ListenAddress 127.0.0.1
HostKey {work}/ssh/host
AuthorizedKeysFile {work}/ssh/authorized
StrictModes no
UsePAM no
PidFile none
PasswordAuthentication no
PermitRootLogin yes
MaxStartups 100
SetEnv HOME={work}/ssh
""")
        self.process = None
        self.start()

    def machine(self, login, home, more=""):
        """What martlet.yml says of a machine that is reached through the server."""
        return (
            f"{{ssh: \"{login}@127.0.0.1:{self.port}\", home: {home}, key: {self.work}/ssh/user, "
            f"known-hosts: {self.work}/ssh/known{more}}}")

    def start(self):
        if self.process:
            return
        os.makedirs("/run/sshd", exist_ok=True)
        self.process = subprocess.Popen(
            ["/usr/sbin/sshd", "-D", "-e", "-f", self.work + "/ssh/config"], stderr=open(self.work + "/sshd.log", "ab"))
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(PAUSE)

    def stop(self):
        """Also cuts every connection: no one listens, and none is left."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
        self.cut()

    def cut(self):
        def is_connection(words, _):
            return words[0] == "ssh" and any(word.endswith("@127.0.0.1") for word in words)
        for pid in processes(self.work, is_connection):
            kill(pid)


def processes(work, fits):
    """The living processes that have to do with a folder, and for whose words and ID a condition holds."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
            with open(f"/proc/{pid}/environ", "rb") as file:
                own = work.encode() in file.read() or work in " ".join(words)
            with open(f"/proc/{pid}/stat") as file:
                state = file.read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if own and state not in "ZX" and int(pid) != os.getpid() and fits(words, pid):
            found.append(int(pid))
    return found


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
