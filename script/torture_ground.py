"""What script/torture and script/torture-machines stand on: a toolchain that is a stub, a disk that fails, and looks at what the
watcher wrote down."""
import json, mmap, os, shutil, sqlite3, struct, subprocess, sys, time

from torture_model import write

HERE = os.path.dirname(os.path.realpath(__file__))
PAUSE = float(os.environ.get("SECONDS_BETWEEN_LOOKS", "0.02"))  # between two looks


def environment_of(work):
    """The environment of a watcher whose home, settings and toolchain are in a folder."""
    return {
        "PATH": f"{work}/toolchain/usr/bin:{os.environ['PATH']}", "HOME": work, "MARTLET_HOME": work + "/home",
        "MARTLET_CONFIG": work + "/config", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
        **{f"GIT_{who}_{what}": "torture@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }


def make_toolchain(folder, build, **more):
    """Makes a toolchain whose build, and what else there is, are scripts for bash."""
    about = {"compilerVersion": "Swift version 6.0 (stub)", "paths": {"runtimeResourcePath": folder + "/usr/lib/swift"}}
    for name, body in {
        "swift": "exit 0", "llvm-cov": "exit 0", "swiftc": f"echo '{json.dumps(about)}'", "swift-build": build,
        "swift-package": """echo '{"name":"stub","path":"'"$PWD"'","targets":[],"products":[]}'""", **more,
    }.items():
        write(f"{folder}/usr/bin/{name}", f"#!/bin/bash\n{body}\n", 0o755)


class Disk:
    """How often writing beneath a folder fails, in 10,000 calls, for all that is started with the environment; never without
    a library."""

    def __init__(self, library, folder, control):
        self.map, self.environment = None, {}
        if not library:
            return
        with open(control, "w+b") as file:
            file.write(bytes(8))
            file.flush()
            self.map = mmap.mmap(file.fileno(), 8)
        os.chmod(control, 0o666)
        self.environment = {"LD_PRELOAD": library, "TORTURE_HOME": folder, "TORTURE_DISK": control}

    def fail(self, rate):
        if self.map:
            self.map[0:4] = struct.pack("=I", rate)

    def is_sound(self):
        return not self.map or self.map[0:4] == bytes(4)

    def faults(self):
        return struct.unpack("=I", self.map[4:8])[0] if self.map else 0


def compiled(source, library):
    compiler = shutil.which("clang") or shutil.which("cc") or sys.exit("This needs clang or cc.")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(PAUSE)
    return True


def rows(home, sql):
    """What the watcher wrote down, read only."""
    connection = sqlite3.connect(f"file:{home}/martlet.sqlite?mode=ro", uri=True, timeout=120)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()
