"""Attempts at files, processes, mounts and devices of the machine."""
import glob, os, shutil, signal, stat, struct
from ground import *

# Files of the machine


def write_outside(): quietly(put, f"{outside}/{place}-write_outside")
def append_outside():
    def add():
        with open(f"{outside}/decoy", "a") as file:
            file.write("siege")
    quietly(add)
def truncate_outside(): quietly(os.truncate, f"{outside}/decoy", 0)
def remove_outside(): quietly(os.unlink, f"{outside}/decoy")
def rename_outside(): quietly(os.rename, f"{outside}/decoy", f"{outside}/renamed")
def mode_outside(): quietly(os.chmod, f"{outside}/decoy", 0o4777)
def link_outside():
    for folder in spots():
        quietly(os.link, f"{outside}/decoy", f"{folder}/linked")
def into_world_writable(): quietly(put, f"{outside}/open/{place}-into_world_writable")
def fifo_outside(): quietly(lambda: os.write(os.open(f"{outside}/fifo", os.O_WRONLY | os.O_NONBLOCK), b"siege"))


def read_private():
    reveal(quietly(lambda: open(aim["private"]).read()))
def read_shadow():
    if quietly(lambda: open("/etc/shadow").read()): through("/etc/shadow was read")
def read_users():
    for folder in ("/root", "/home", "/var/log", "/var/spool", "/srv", "/boot"):
        if quietly(os.listdir, folder): through(f"{folder} was listed")
def read_other_workspaces():
    top = scratch() or here
    if "/workspaces/" not in top: return
    folder, mine = top.split("/workspaces/")[0] + "/workspaces", top.split("/workspaces/")[1].split("/")[:2]
    for bot in quietly(os.listdir, folder) or []:
        for branch in quietly(os.listdir, f"{folder}/{bot}") or []:
            if [bot, branch] != mine and quietly(os.listdir, f"{folder}/{bot}/{branch}"): through(f"{bot}/{branch} was listed")
def write_database():
    for path in ("martlet.sqlite", f"integrations/{aim['bot']}/history", "site/index.html", "toolchains/planted"):
        quietly(lambda: open(f"{aim['home']}/{path}", "a").write(f"WROTE {mark()} {token}"))
def write_toolchain():
    for folder in ("/usr/bin", "/usr/lib", "/etc", os.path.dirname(shutil.which("swift") or "/usr/bin/x")):
        if not is_blocked(put, f"{folder}/{token}-{place}")[1]: through(f"{folder} was written")
def write_observer():
    for path in glob.glob(aim["home"] + "/toolchains/*/*"):
        if quietly(lambda: open(path, "ab")): through(f"{path} can be written")
def write_repository(): quietly(put, f"{aim['repository']}/.git/hooks/post-update", "#!/bin/sh\n", 0o755)
def read_repository():
    if quietly(lambda: open(aim["repository"] + "/.git/HEAD").read()): through("the watched repository can be read")


# Other processes


def read_environments():
    for path in glob.glob("/proc/[0-9]*/environ"):
        reveal(quietly(lambda: open(path, "rb").read()) or b"")
def host_processes():
    if len(glob.glob("/proc/[0-9]*")) > 60: through("the machine's processes are seen")
def through_root_links():
    for link in ("root", "cwd"):
        for process in glob.glob("/proc/[0-9]*"):
            reveal(quietly(lambda: open(f"{process}/{link}{aim['private']}").read()))
def inherited_descriptors():
    for process in glob.glob("/proc/[0-9]*"):
        for descriptor in quietly(os.listdir, process + "/fd") or []:
            target = quietly(os.readlink, f"{process}/fd/{descriptor}") or ""
            if target.startswith("/"):
                reveal(quietly(lambda: open(f"{process}/fd/{descriptor}/{os.path.relpath(aim['private'], target)}").read()))
def kill_bystander(): quietly(os.kill, aim["bystander"], signal.SIGKILL)
def trace_first():
    """It has no more rights than this one; Martlet goes on all the same."""
    call((101, 117), 16, 1, 0, 0)
def write_first():
    if quietly(lambda: open("/proc/1/mem", "r+b")): through("the memory of process 1 is open")
def fetch_descriptor():
    descriptor = call(434, 1, 0)
    for number in range(40):
        fetched = call(438, descriptor, number, 0) if descriptor >= 0 else -1
        target = quietly(os.readlink, f"/proc/self/fd/{fetched}") if fetched >= 0 else None
        if target and target.startswith("/"):
            reveal(quietly(lambda: open(os.open(os.path.relpath(aim["private"], target), os.O_RDONLY, dir_fd=fetched)).read()))
def raise_priority():
    if quietly(os.nice, -10) is not None: through("the priority was raised")
def score_kernel():
    if quietly(lambda: open("/proc/self/oom_score_adj", "w").write("-1000")): through("it is spared when memory is short")
def raise_limit():
    import resource
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    if hard == resource.RLIM_INFINITY: return through("files have no limit")
    try: resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard + 1)); through("a limit was raised")
    except (OSError, ValueError): pass
def leave_control_group():
    for path in glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True):
        if not is_blocked(lambda: open(path, "w").write(str(os.getpid())))[1]: through(f"{path} was written")


# Namespaces, mounts, devices


def unshare_user(): must_fail((272, 97), 0x10000000)
def unshare_mount(): must_fail((272, 97), 0x20000)
def unshare_network(): must_fail((272, 97), 0x40000000)
def clone_user():
    if MACHINE != "x86_64": return
    value = call(56, 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
    if value == 0: os._exit(0)
    if value > 0: os.waitpid(value, 0); through("a user namespace was made")
def clone3_user():
    words = struct.pack("=11Q", 0x10000000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0)
    value = call(435, words, len(words))
    if value == 0: os._exit(0)
    if value > 0: os.waitpid(value, 0); through("a user namespace was made")
def join_namespaces():
    for kind in ("mnt", "user", "net", "pid", "ipc", "uts", "cgroup"):
        descriptor = quietly(os.open, f"/proc/1/ns/{kind}", os.O_RDONLY)
        if descriptor and kind != "pid" and libc.setns(descriptor, 0) == 0: through(f"joined {kind}")
def mount_tmpfs(): must_fail((165, 40), b"none", b"/tmp", b"tmpfs", 0, 0)
def remount_usr(): must_fail((165, 40), b"none", b"/usr", b"none", 0x1000 | 32, 0)
def bind_root(): must_fail((165, 40), b"/", b"/tmp", b"none", 4096, 0)
def unmount_proc(): must_fail((166, 39), b"/proc", 2)
def turn_root(): must_fail((155, 41), b"/tmp", b"/tmp")
def new_mounts():
    for number, words in ((428, (-100, b"/", 1)), (429, (-1, b"", -1, b"", 0)), (430, (b"tmpfs", 0)), (432, (-1, 0, 0)),
                          (433, (-100, b"/tmp", 0)), (442, (-100, b"/usr", 0, b"\0" * 32, 32))):
        must_fail(number, *words)
def change_root(): must_fail((161, 51), b"/tmp")
def make_device():
    for folder in spots():
        if quietly(os.mknod, f"{folder}/device-{place}", 0o666 | stat.S_IFBLK, os.makedev(254, 0)) is None and os.path.exists(
            f"{folder}/device-{place}"): through(f"a device was made in {folder}")
def open_devices():
    for path in ("vda", "sda", "nvme0n1", "mem", "kmem", "port", "kmsg", "fuse", "kvm", "loop-control", "net/tun", "vhost-vsock", "uinput"):
        if quietly(os.open, f"/dev/{path}", os.O_RDWR): through(f"/dev/{path} was opened")
def write_sysctl():
    for path in ("kernel/core_pattern", "kernel/modprobe", "vm/overcommit_memory", "kernel/hostname", "net/ipv4/ip_forward"):
        if quietly(lambda: open(f"/proc/sys/{path}", "r+")): through(f"{path} can be written")
def sysrq():
    if quietly(lambda: open("/proc/sysrq-trigger", "w")): through("/proc/sysrq-trigger was opened")
def by_handle():
    handle = struct.pack("=II", 8, 1) + b"\2\0\0\0\0\0\0\0"
    descriptor = quietly(os.open, here, os.O_RDONLY)
    if call((304, 265), descriptor or 0, handle, 0) >= 0: through("a file was opened by its handle")
def watch_everything():
    if call((300, 262), 0x4, 0) >= 0: through("a class of fanotify that may refuse")
