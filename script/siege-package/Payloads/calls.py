"""Attempts at calls of the kernel that no test needs, and at the network."""
import ctypes, fcntl, os, socket, struct, time
from ground import *

# Calls that no test needs


def key_add(): must_fail((248, 217), b"user", f"siege-planted-{token} {mark()}".encode(), b"siege", 5, -3)
def key_add_user(): must_fail((248, 217), b"user", f"siege-planted-{token} {mark()}".encode(), b"siege", 5, -4)
def key_add_user_session(): must_fail((248, 217), b"user", f"siege-planted-{token} {mark()}".encode(), b"siege", 5, -5)
def key_read():
    for ring in (-3, -4, -5):
        serial = call((250, 219), 10, ring, b"user", f"siege-decoy-{token}".encode(), 0)
        buffer = ctypes.create_string_buffer(100)
        if serial > 0 and call((250, 219), 11, serial, ctypes.addressof(buffer), 100) > 0:
            through("the caller's key was read"); reveal(buffer.value)
def key_request(): must_fail((249, 218), b"user", f"siege-decoy-{token}".encode(), 0, -3)
def key_list():
    if f"siege-decoy-{token}" in (quietly(lambda: open("/proc/keys").read()) or ""): through("/proc/keys names the caller's key")
def io_uring(): must_fail(425, 8, b"\0" * 120)
def io_uring_register(): must_fail(427, -1, 0, 0, 0)
def bpf(): must_fail((321, 280), 0, b"\0" * 72, 72)
def perf(): must_fail((298, 241), struct.pack("=IIQQQQ", 1, 128, 0, 0, 0, 0) + b"\0" * 88, 0, -1, -1, 0)
def userfaultfd(): must_fail((323, 282), 1)
def modules():
    must_fail((175, 105), b"", 0, b"")
    must_fail((313, 273), -1, b"", 0)
    must_fail((176, 106), b"siege", 0)
def kexec(): must_fail((246, 104), 0, 0, 0, 0)
def swap_on(): must_fail((167, 224), b"/tmp/none", 0)
def restart(): must_fail((169, 142), 0, 0, 0, 0)
def set_clock(): must_fail((227, 112), 0, struct.pack("=qq", int(time.time()), 0))
def host_name(): must_fail((170, 161), b"siege", 5)
def kernel_log(): must_fail((103, 116), 10, 0, 0)
def accounting(): must_fail((163, 89), b"/tmp/none")
def quotas(): must_fail((179, 60), 0x80000700, b"/none", 0, 0)
def ports():
    if MACHINE == "x86_64": must_fail(173, 0, 1, 1); must_fail(172, 3)
def foreign_calls():
    if MACHINE == "x86_64" and call(0x40000000 | 39) > 0: through("calls of the x32 kind are carried out")
def type_ahead():
    for path in ("/dev/tty", "/dev/console", "/dev/pts/0", "/proc/self/fd/0"):
        descriptor = quietly(os.open, path, os.O_RDWR | os.O_NOCTTY)
        if descriptor and not is_blocked(fcntl.ioctl, descriptor, 0x5412, b"x")[1]: through(f"typed into {path}")
def capabilities():
    text = open("/proc/self/status").read()
    for line in text.splitlines():
        key, _, value = line.partition(":\t")
        if key in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") and int(value, 16): through(f"{key} is {value}")
        if key == "NoNewPrivs" and value != "1": through("programs may gain privileges")
def become_root():
    if os.getuid() and not is_blocked(os.setuid, 0)[1]: through("it is root")
    if not is_blocked(os.setgroups, [0, 4, 42])[1]: through("groups were set")
def file_capabilities():
    for folder in spots():
        put_here = f"{folder}/capable-{place}"
        if not is_blocked(put, put_here)[1] and not is_blocked(
            os.setxattr, put_here, "security.capability", struct.pack("=5I", 0x02000001, 0x3fffff, 0, 0, 0))[1]:
            through(f"a file in {folder} has capabilities")
def change_owner():
    for folder in spots():
        path = f"{folder}/owned-{place}"
        if not is_blocked(put, path)[1] and not is_blocked(os.chown, path, 12345, 12345)[1]: through(f"{path} has another owner")


# Network and messages


def ring(kind, family, address):
    def try_it():
        with socket.socket(family, kind) as door:
            door.settimeout(2)
            door.connect(address)
            door.send(place.encode() + b" siege")
    return not is_blocked(try_it)[1]
def loopback(): ring(socket.SOCK_STREAM, socket.AF_INET, ("127.0.0.1", aim["port"]))
def loopback6(): ring(socket.SOCK_STREAM, socket.AF_INET6, ("::1", aim["port"]))
def mapped_loopback(): ring(socket.SOCK_STREAM, socket.AF_INET6, ("::ffff:127.0.0.1", aim["port"]))
def zero_address(): ring(socket.SOCK_STREAM, socket.AF_INET, ("0.0.0.0", aim["port"]))
def datagram(): ring(socket.SOCK_DGRAM, socket.AF_INET, ("127.0.0.1", aim["port"]))
def own_address(): ring(socket.SOCK_STREAM, socket.AF_INET, (aim["address"], aim["port"]))
def gateway_alias(): ring(socket.SOCK_STREAM, socket.AF_INET, ("10.0.2.2", aim["port"]))
def metadata():
    if ring(socket.SOCK_STREAM, socket.AF_INET, ("169.254.169.254", 80)): through("the metadata address answers")
def abstract_socket(): ring(socket.SOCK_STREAM, socket.AF_UNIX, "\0" + aim["abstract"])
def path_socket(): ring(socket.SOCK_STREAM, socket.AF_UNIX, f"{outside}/socket")
def system_bus():
    for path in ("/run/dbus/system_bus_socket", "/var/run/docker.sock", "/run/systemd/private", "/run/user/0/bus", "/run/containerd/containerd.sock"):
        if ring(socket.SOCK_STREAM, socket.AF_UNIX, path): through(f"{path} was called")
def agent_socket():
    if os.environ.get("SSH_AUTH_SOCK"): through("SSH_AUTH_SOCK is set")
def make_socket(family, kind, number=0):
    made = quietly(socket.socket, family, kind, number)
    if made: through("the socket was made")
def vsock(): make_socket(40, socket.SOCK_STREAM)
def crypto_socket(): make_socket(38, socket.SOCK_SEQPACKET)
def packet_socket(): make_socket(17, socket.SOCK_RAW, 768)
def raw_socket(): make_socket(socket.AF_INET, socket.SOCK_RAW, 1)
def bluetooth_socket(): make_socket(31, socket.SOCK_RAW, 1)
def key_socket(): make_socket(15, socket.SOCK_RAW, 2)
def can_socket(): make_socket(29, socket.SOCK_RAW, 1)
def tipc_socket(): make_socket(30, socket.SOCK_SEQPACKET)
def xdp_socket(): make_socket(44, socket.SOCK_RAW)
def nftables_socket(): make_socket(16, socket.SOCK_RAW, 12)
def shared_memory():
    serial = libc.shmget(aim["key"], 4096, 0o1666)
    if serial >= 0: libc.shmat(serial, 0, 0)
def semaphores(): libc.semget(aim["key"], 1, 0o1666)
def message_queue(): libc.msgget(aim["key"], 0o1666)
def posix_queue(): call((240, 180), token.encode(), os.O_CREAT | os.O_RDWR, 0o666, 0)
def left_in_memory(): quietly(put, f"/dev/shm/{token}-{place}")
def left_in_tmp(): quietly(put, f"/tmp/{token}-{place}"); quietly(put, f"/var/tmp/{token}-{place}")
def service_on_host():
    if offspring() == 0:
        door = socket.socket(); quietly(door.bind, ("0.0.0.0", aim["free port"])); door.listen()
        time.sleep(600); os._exit(0)
