"""Attempts at what comes at the end: removing, processes that stay, amounts, triggers."""
import fcntl, glob, os, signal, struct, sys, time
from ground import *
from remains import setgid_folder, setuid_file

# What is hard to remove


def read_only_folder():
    for folder in spots(): quietly(put, f"{folder}/shut/file"); quietly(os.chmod, f"{folder}/shut", 0o555)
def folder_without_rights():
    for folder in spots(): quietly(put, f"{folder}/closed/deeper/file"); quietly(os.chmod, f"{folder}/closed/deeper", 0); quietly(os.chmod, f"{folder}/closed", 0)
def deep_folders():
    for folder in spots():
        top = os.open(folder, os.O_RDONLY); current = top
        for _ in range(3000):
            if is_blocked(os.mkdir, "deep-with-a-name-of-some-length", dir_fd=current)[1]: break
            inner = os.open("deep-with-a-name-of-some-length", os.O_RDONLY, dir_fd=current)
            os.close(current); current = inner
        os.close(current)
def shut_here():
    quietly(os.chmod, here, 0o555)
def shut_home():
    quietly(os.chmod, os.environ.get("HOME", "/tmp"), 0)
def shut_temporary():
    quietly(os.chmod, os.environ.get("TMPDIR", "/tmp"), 0)
def shut_everything():
    for folder in spots():
        if folder in ("/tmp", "/var/tmp", "/dev/shm"): continue
        for top, folders, files in os.walk(folder, topdown=False):
            for entry in folders: quietly(os.chmod, f"{top}/{entry}", 0)
        quietly(os.chmod, folder, 0)
def shut_scratch():
    for entry in glob.glob((scratch() or "/nowhere") + "/*"): quietly(os.chmod, entry, 0)
    quietly(os.chmod, scratch() or "/nowhere", 0)
def shut_scratch_later(): later(shut_scratch, 20)
def immutable():
    for folder in spots():
        if quietly(put, f"{folder}/immutable") is None and os.path.exists(f"{folder}/immutable"):
            with open(f"{folder}/immutable") as file: quietly(fcntl.ioctl, file, 0x40086602, struct.pack("=l", 0x30))
def strange_names():
    for folder in spots():
        for entry in (b"new\nline", b"\xff\xfe", b"-rf", b"\x1b[31m", b"a" * 255, b" ", b"\xe2\x80\xae"):
            quietly(lambda: os.close(os.open(os.fsencode(folder) + b"/" + entry, os.O_CREAT | os.O_WRONLY)))
def looping_links():
    for folder in spots(): quietly(os.symlink, "loop", f"{folder}/loop"); quietly(os.symlink, "..", f"{folder}/up"); quietly(os.symlink, "/", f"{folder}/all")
def links_to_remove():
    """Folders that would be removed outside if links were followed."""
    for folder in spots():
        quietly(os.makedirs, f"{folder}/a"); quietly(os.symlink, f"{outside}/open", f"{folder}/a/b"); quietly(os.symlink, f"{outside}/decoy", f"{folder}/a/c")
def swapped_links():
    """Swaps a folder and a link to the outside, again and again, while Martlet removes."""
    folder = os.environ.get("TMPDIR", "/tmp")
    quietly(os.makedirs, f"{folder}/swap/decoy"); quietly(os.symlink, outside, f"{folder}/link")
    if offspring(): return
    os.setsid()
    for _ in range(200_000): call((316, 276), -100, f"{folder}/swap".encode(), -100, f"{folder}/link".encode(), 2)
    os._exit(0)
def many_files():
    folder = f"{os.environ.get('TMPDIR', '/tmp')}/many"
    quietly(os.makedirs, folder)
    for index in range(50_000): quietly(lambda: os.close(os.open(f"{folder}/{index}", os.O_CREAT | os.O_WRONLY)))


# What stays running, and what kills


def daemon():
    if offspring() == 0:
        os.setsid()
        if offspring() == 0: os.execv("/bin/sleep", [f"sleep-{token}", "600"])
        os._exit(0)
def stubborn():
    if offspring() == 0:
        for number in range(1, 32):
            if number not in (9, 19): quietly(signal.signal, number, signal.SIG_IGN)
        os.setsid(); os.execv("/bin/sleep", [f"sleep-{token}", "600"])
def nameless():
    """Without environment, name or terminal."""
    if offspring() == 0:
        os.setsid(); os.execve("/bin/sleep", [f"sleep-{token}", "600"], {})
def stopped():
    if offspring() == 0: os.setsid(); os.kill(os.getpid(), signal.SIGSTOP)
def holding_output():
    if offspring() == 0: os.execv("/bin/sleep", [f"sleep-{token}", "600"])
def tracer():
    """A child that traces its own child and never lets it go."""
    if offspring() == 0:
        child = offspring()
        if child == 0: time.sleep(600)
        call((101, 117), 16, child, 0, 0); time.sleep(600)
def kill_everybody(): quietly(os.kill, -1, signal.SIGKILL)
def kill_first(): quietly(os.kill, 1, signal.SIGKILL); quietly(os.kill, 1, signal.SIGTERM)
def stop_everybody(): quietly(os.kill, -1, signal.SIGSTOP)
def kill_parents(): quietly(os.killpg, 0, signal.SIGKILL)


# Amounts


def fill_memory_folders():
    """A folder in memory takes two gigabytes at most, and less where the machine has less than eleven."""
    for folder in ("/dev/shm", "/dev", "/tmp", "/var/tmp"):
        taken = 0
        def fill():
            nonlocal taken
            with open(f"{folder}/fill", "wb", buffering=0) as file:
                while taken <= 2 << 30: taken += file.write(bytes(32 << 20))
        quietly(fill)
        if taken > 2 << 30: through(f"{folder} took more than 2 GB")
        quietly(os.unlink, folder + "/fill")
def unlimited_device_folder():
    if not is_blocked(put, "/dev/siege")[1] and (os.statvfs("/dev").f_blocks * os.statvfs("/dev").f_frsize > 8 << 30 or os.statvfs("/dev").f_blocks == 0):
        through("/dev can be written without a limit")
def much_output():
    line = b"siege " * 20 + b"\n"
    for _ in range(200): sys.stdout.buffer.write(line * 20_000)
    sys.stdout.flush()
def long_line():
    sys.stdout.write("x" * (30 << 20) + "\n"); sys.stdout.flush()
def many_warnings():
    for index in range(200_000): print(f"{here}/Sources/Siege/Red.swift:{index % 900 + 1}:1: warning: number {index}")
    sys.stdout.flush()
def fake_results():
    for index in range(50_000): print(f"Test Case 'Fake.Case{index}' passed (0.001 seconds)\n{here}/T.swift:1: error: Fake.test{index} : failed - " + "y" * 500)
    sys.stdout.flush()
def escapes(): print("\x1b]0;siege\x07\x1b[2J\x1b]8;;file:///etc/passwd\x07<script>alert(1)</script>\u202e\x00")


# Secrets, in triggers


def secret_in_environment():
    if aim["words"] in "".join(os.environ.values()): through("the environment holds the secret")
def secret_file():
    text = quietly(lambda: open(aim.get("secrets", "/nowhere")).read())
    if text: through("the file of secrets was read")
def environment_of_all():
    for entry in glob.glob("/proc/[0-9]*/environ"):
        if aim["words"].encode() in (quietly(lambda: open(entry, "rb").read()) or b""): through(f"{entry} holds the secret")
def overwrite_kept():
    folder = os.environ.get("MARTLET_OUTPUT_DIR")
    if folder and not is_blocked(put, f"{folder}/integration.json", "{}")[1]: through("the kept folder can be written")
    if folder and not is_blocked(put, f"{folder}/log/testing.log", "nothing")[1]: through("the kept logs can be written")


# For those that need time, and those of triggers


def edit_trigger(): quietly(put, f"{here}/Trigger.sh", '#!/bin/sh\necho SIEGE TAMPERED\n', 0o755)
def pause(): say(f"WAITS {place}"); time.sleep(600)
def pause_after_setuid(): setuid_file(); setgid_folder(); pause()
def pause_after_shut(): shut_everything(); pause()
def pause_after_daemon(): nameless(); stubborn(); pause()
