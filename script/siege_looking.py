"""What must not have happened after an attempt of script/siege."""
import os, stat, subprocess, time
from siege_machine import living, read, write

MOST_MEMORY = 600 << 20  # bytes that Martlet's own process may have in memory
MOST_KEPT = 200 << 20  # bytes of what is kept of one integration and shown of it


class Looking:
    """The part of a ground that looks; everything is found at its host's paths."""

    def look(self, result, patience=3):
        """What must not have happened, as sentences, each with the file or words that tell whose it is."""
        faults = list(result.faults)
        if not result.document and result.status is not None:
            faults.append(f"nothing was integrated: exit status {result.status}, {result.words[-300:].strip()}")
        after = self.snapshot()
        for path in sorted(self.before.keys() | after.keys()):
            if "/siege/.git/" in path or path.endswith("/siege/.git"):
                continue  # looked at apart, because commits are made there
            if self.before.get(path) != after.get(path):
                kind = "was changed" if path in self.before and path in after else "is gone" if path in self.before else "appeared"
                faults.append(f"{path.removeprefix(self.work + '/')} {kind}")
        faults += self.look_at_home() + self.look_at_machine(patience)
        said = result.log() + self.said()
        told = [line.strip() for line in said.splitlines() if "SIEGE THROUGH " in line]
        # What an attempt has read, it has printed, too.
        faults += told or self.leaks()
        if result.status is not None and result.status < 0 and not result.faults:
            faults.append(f"Martlet died of signal {-result.status}")
        if result.memory > MOST_MEMORY:
            faults.append(f"Martlet had {result.memory >> 20} MB in memory")
        if result.folder:
            number = result.folder.rpartition("/")[2]
            size = sum(self.size(folder) for folder in (result.folder, f"{self.home}/site/siege/{number}"))
            if size > MOST_KEPT:
                faults.append(f"{size >> 20} MB are kept of it")
        return faults

    @staticmethod
    def size(folder):
        total = 0
        for top, _, files in os.walk(folder):
            total += sum(os.lstat(f"{top}/{name}").st_blocks * 512 for name in files if os.path.lexists(f"{top}/{name}"))
        return total

    def look_at_home(self):
        faults = []
        bits = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX
        for folder, folders, files in os.walk(self.home):
            for name in folders + files:
                path = f"{folder}/{name}"
                try:
                    mode = os.lstat(path).st_mode
                except OSError:
                    continue
                if mode & bits and not stat.S_ISLNK(mode):
                    faults.append(f"{path.removeprefix(self.work + '/')} has the bits {mode & 0o7777:o}")
                is_kept = path.startswith((self.home + "/integrations", self.home + "/site"))
                if is_kept and not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                    faults.append(f"{path.removeprefix(self.work + '/')} is kept and is no file")
        return faults

    def is_open_to_others(self):
        """What of the home others can reach; pages are there to be served."""
        if not os.stat(self.home).st_mode & 0o011:
            return []
        return [name for name in os.listdir(self.home) if name != "site" and os.lstat(f"{self.home}/{name}").st_mode & 0o077]

    def look_at_machine(self, patience):
        faults = [f"a service was called: {words}" for words in self.door.calls[self.calls_before:]]
        self.calls_before = len(self.door.calls)
        if self.bystander.poll() is not None:
            faults.append("a process of the user's was ended")
            self.bystander = subprocess.Popen(["sleep", "86400"], **self.as_user())
        faults += self.survivors(patience)
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/usr/bin", "/usr/lib", "/etc"):
            names = os.listdir(folder) if os.path.isdir(folder) else []
            faults += [f"{folder}/{name} appeared" for name in names if self.marker in name]
        for kind in ("shm", "sem", "msg"):
            if any(line.split()[:1] == [str(self.key)] for line in read(f"/proc/sysvipc/{kind}").decode().splitlines()):
                faults.append(f"/proc/sysvipc/{kind} has a new entry")
        faults += [f"a key was planted in a keyring of the caller's: {name}" for name in self.keys.planted(self.marker)]
        return faults

    def survivors(self, patience):
        """Processes of the attempt that are still there."""
        end = time.monotonic() + patience
        while True:
            found = self.marked_processes()
            if not found or time.monotonic() > end:
                return [f"process {pid} is left: {read(f'/proc/{pid}/cmdline')[:100]!r}" for pid in found]
            time.sleep(0.1)

    def marked_processes(self):
        return living(self.marker, but=(os.getpid(), self.bystander.pid))

    def said_files(self):
        """What plugins and commands of the build have told."""
        return subprocess.run(["find", self.home + "/workspaces", "-name", "said.txt"], capture_output=True, text=True).stdout.splitlines()

    def said(self):
        return "".join(read(path).decode(errors="replace") for path in self.said_files())

    def leaks(self):
        """New files of the home with what only the caller has, or with what an attempt wrote by the home's own path."""
        new = ["find", self.home, "-type", "f", "-newer", self.work + "/start", "-print0"]
        names = subprocess.run(new, capture_output=True).stdout
        def search(*words):
            return subprocess.run(
                ["xargs", "-0", "-r", "grep", "-a", *words, "--"], input=names, capture_output=True).stdout.decode(errors="replace").splitlines()
        faults = [f"{path.removeprefix(self.work + '/')} holds a secret" for path in search("-lF", "-e", self.secret)]
        return faults + [line.removeprefix(self.work + "/") for line in search("-oHE", "-e", f"WROTE [a-z_-]+ {self.marker}")]
