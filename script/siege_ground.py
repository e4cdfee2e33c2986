"""Where an attempt of script/siege is made: a home, a repository, and a machine to look at afterwards.

A ground is one user's. Its home is used by one attempt after the other, until something went through.
"""
import glob, hashlib, json, os, pwd, shutil, signal, socket, stat, subprocess, time
from siege_looking import Looking
from siege_machine import Door, read, remove, write

PACKAGE = os.path.dirname(os.path.realpath(__file__)) + "/siege-package"
BOT = "siege"
#: What of the package's manifest tests can do without.
HEAVY = ("import Foundation\n", "    .plugin(name: \"Ram\", capability: .buildTool()),\n", ", plugins: [\"Ram\"]",
         "    .executableTarget(name: \"app\", dependencies: [\"Siege\"]),\n")
MANIFEST = """
do {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["python3", Context.packageDirectory + "/payloads.py", "manifest"]
  try process.run()
  process.waitUntilExit()
} catch { exit(2) }
// %s
"""


class Result:
    """How Martlet ended, and the document of what it integrated, if it did."""

    def __init__(self, status, words, document, folder, seconds, memory, faults):
        self.status, self.words, self.document, self.folder = status, words, document, folder
        self.seconds, self.memory, self.faults = seconds, memory, faults

    @property
    def outcome(self):
        return self.document["outcome"] if self.document else None

    def log(self):
        """What the programs of the steps printed."""
        folder = f"{self.folder}/log" if self.folder else ""
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return "".join(read(f"{folder}/{name}").decode(errors="replace") for name in names if name.endswith(".log"))


class Ground(Looking):
    def __init__(self, work, number, user, program, token, keys, is_light=False):
        self.work, self.user, self.program, self.keys = f"{work}/{user}-{number}", user, program, keys
        self.marker = f"siege-{token}-{user}-{number}"
        self.secret_beginning = f"PRIVATE-{self.marker}"
        self.secret = f"{self.secret_beginning}-{hashlib.sha256(self.marker.encode()).hexdigest()[:20]}"
        self.has_keys = keys.add(self.marker, self.secret)
        self.key = int(hashlib.sha256(self.marker.encode()).hexdigest()[:7], 16)
        self.home, self.config = self.work + "/home", self.work + "/config"
        self.repository, self.outside = f"{self.work}/{BOT}", self.work + "/outside"
        os.makedirs(self.work)
        self.make_outside()
        self.door = Door(self.outside, self.marker)
        self.address = self.own_address()
        self.bystander = subprocess.Popen(["sleep", "86400"], **self.as_user())
        self.base = self.make_repository(is_light)
        for folder in ("user", "tmp", "config/bots", "config/secrets"):
            os.makedirs(f"{self.work}/{folder}", exist_ok=True)
        self.own(self.work)
        os.chmod(self.work, 0o755)
        #: Which home is in place, and how many attempts were made in each that is not to be thrown away.
        self.kind, self.attempts = None, {}
        self.expected = {}

    # Who runs it

    def as_user(self):
        return {} if self.user == "root" or os.getuid() else {"user": self.user, "group": self.group(), "extra_groups": []}

    def group(self):
        return pwd.getpwnam(self.user).pw_gid

    def own(self, path):
        if not os.getuid() and self.user != "root":
            subprocess.run(["chown", "-R", "--no-dereference", f"{self.user}:{self.group()}", path], check=True)

    def environment(self):
        return {
            "PATH": os.environ["PATH"], "HOME": self.work + "/user", "TMPDIR": self.work + "/tmp", "MARTLET_HOME": self.home,
            "MARTLET_CONFIG": self.config, "CI": self.marker, "SIEGE_CALLER": self.secret, "SSH_AUTH_SOCK": self.outside + "/socket",
            "LANG": "C.UTF-8",
        }

    # The decoys

    def make_outside(self):
        os.makedirs(self.outside + "/open")
        os.makedirs(self.outside + "/empty")
        write(self.outside + "/decoy", "decoy\n", 0o666)
        write(self.outside + "/private", self.secret + "\n", 0o600)
        write(self.outside + "/open/keep", "keep\n")
        os.chmod(self.outside + "/open", 0o777)
        os.mkfifo(self.outside + "/fifo", 0o666)
        # A repository of the user's that is none of the watched one's business.
        private = self.outside + "/private.git"
        self.git("init", "--quiet", "--initial-branch=main", private, at=self.work)
        write(private + "/private", self.secret + "\n")
        self.git("add", "--all", at=private)
        self.git("commit", "--quiet", "--message", "private", at=private)
        self.private_commit = self.git("rev-parse", "HEAD", at=private)

    def snapshot(self):
        """Everything that must not change: names, kinds, modes, owners, contents."""
        found = {}
        for top in (self.outside, self.repository, self.work + "/user"):
            for folder, folders, files in os.walk(top):
                for name in folders + files + ["."]:
                    path = f"{folder}/{name}"
                    status = os.lstat(path)
                    content = read(path) if stat.S_ISREG(status.st_mode) else b""
                    found[path] = (status.st_mode, status.st_uid, status.st_gid, hashlib.sha256(content).digest())
        return found

    @staticmethod
    def own_address():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))
                return probe.getsockname()[0]
            except OSError:
                return "127.0.0.2"

    # The repository

    def git(self, *words, at=None, text=None, environment=()):
        person = {f"GIT_{who}_{what}": "siege@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        dates = {"GIT_AUTHOR_DATE": "2026-11-20T09:00:00Z", "GIT_COMMITTER_DATE": "2026-11-20T09:00:00Z"}
        run = subprocess.run(
            ["git", "-C", at or self.repository, "-c", "safe.directory=*", *words],
            env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_GLOBAL": "/dev/null",
                 "GIT_CONFIG_SYSTEM": "/dev/null"} | person | dates | dict(environment),
            input=text if isinstance(text, bytes) else (text or "").encode(), capture_output=True)
        if run.returncode:
            raise RuntimeError(f"git {' '.join(words[:3])}: {run.stderr.decode(errors='replace')}")
        return run.stdout.decode(errors="replace").strip()

    def make_repository(self, is_light):
        shutil.copytree(PACKAGE, self.repository, ignore=shutil.ignore_patterns("__pycache__"))
        if is_light:
            self.lighten()
        aims = {
            "outside": self.outside, "private": self.outside + "/private", "words": self.secret_beginning, "token": self.marker,
            "home": self.home, "bot": BOT, "repository": self.repository, "port": self.door.port, "address": self.address,
            "abstract": self.door.abstract, "key": self.key, "free port": 20_000 + self.key % 20_000,
            "secrets": f"{self.config}/secrets/{BOT}.env", "bystander": self.bystander.pid,
            "processes": os.readlink("/proc/self/ns/pid"),
        }
        write(self.repository + "/Targets.json", json.dumps(aims))
        self.git("init", "--quiet", "--initial-branch=main", self.repository, at=self.work)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "base")
        return self.git("rev-parse", "HEAD")

    def lighten(self):
        """Leaves out of the package what serves attempts in manifests, plugins and archives alone."""
        text = read(self.repository + "/Package.swift").decode()
        for part in HEAVY:
            if part not in text:
                raise RuntimeError(f"The package has no {part.strip()} to leave out.")
            text = text.replace(part, "")
        write(self.repository + "/Package.swift", text)
        for folder in ("Plugins", "Sources/app"):
            shutil.rmtree(f"{self.repository}/{folder}")

    def commit(self, files, parent=None, message="siege", branch="main"):
        """A commit of the base's tree with other files, on the branch; a nil text removes one."""
        index = {"GIT_INDEX_FILE": self.work + "/index"}
        self.git("read-tree", self.base, environment=index)
        for path, text in files.items():
            if text is None:
                self.git("update-index", "--force-remove", path, environment=index)
                continue
            blob = self.git("hash-object", "-w", "--stdin", text=text)
            self.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}", environment=index)
        return self.commit_tree(self.git("write-tree", environment=index), parent, message, branch)

    def commit_tree(self, tree, parent=None, message="siege", branch="main"):
        commit = self.git("commit-tree", tree, "-p", parent or self.base, text=message)
        self.point(commit, branch)
        return commit

    def point(self, commit, branch="main"):
        self.git("update-ref", f"refs/heads/{branch}", commit)
        self.own(self.repository)

    def attack_files(self, attempts):
        """Files of a commit that carries attempts out, as (place, name)."""
        files = {"Attacks.txt": "".join(f"{place} {name}\n" for place, name in attempts)}
        if any(place in ("plugin", "command") for place, _ in attempts):
            # Plugins are run again where the files of a target are others.
            again = hashlib.sha256(files["Attacks.txt"].encode()).hexdigest()[:12]
            files[f"Sources/Siege/Again{again}.swift"] = f"let again{again} = 0\n"
        if any(place == "manifest" for place, _ in attempts):
            text = read(PACKAGE + "/Package.swift").decode()
            files["Package.swift"] = text + MANIFEST % " ".join(name for _, name in attempts)
        return files

    def honest(self, parent):
        """A commit that is the same whatever came before."""
        # A file more has SwiftPM look at the manifest again.
        files = {"Sources/Siege/Honest.swift": "/// Honest.\npublic let honest = 2\n", "Sources/Siege/Added.swift": "let added = 1\n"}
        return self.commit(files, parent, "honest")

    # The program

    def begin_looking(self):
        """Remembers what there is, for what must not change."""
        write(self.work + "/start", "")
        for path in self.said_files():
            os.unlink(path)
        self.before, self.calls_before = self.snapshot(), len(self.door.calls)

    def numbers(self):
        try:
            return {int(name) for name in os.listdir(f"{self.home}/integrations/{BOT}") if name.isdigit()}
        except OSError:
            return set()

    def start(self, words):
        return subprocess.Popen(
            [self.program, *words], env=self.environment(), cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(self.work + "/said", "wb"), **self.as_user())

    def words(self, how, commit=None, branch="main"):
        if how == "watch":
            return ["watch", "--once", "--jobs", "1"]
        subject = ["--commit", commit] if how == "detached" else ["--branch", branch]
        return ["run", self.repository, *subject, "--sandbox", "on", "--quiet"]

    def integrate(self, how="run", commit=None, limit=150, branch="main"):
        before, start, watched = self.numbers(), time.monotonic(), self.stamps()
        process = self.start(self.words(how, commit, branch))
        memory, faults = 0, []
        while process.poll() is None:
            time.sleep(0.05)
            lines = read(f"/proc/{process.pid}/status").decode().split("\n")
            memory = max([memory] + [int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")])
            if time.monotonic() > start + limit:
                faults.append(f"did not end within {limit} s")
                process.terminate()
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    faults.append("SIGTERM does not end it")
                    process.kill()
                    process.wait()
        if self.stamps() != watched:
            faults.append("the watched repository was changed")
        return self.result(process, before, start, memory, faults)

    def stamps(self):
        """What every file of the watched repository is, as far as writing shows."""
        return {
            path: (status.st_mode, status.st_size, status.st_mtime_ns) for folder, _, files in os.walk(self.repository + "/.git")
            for path in [folder, *(f"{folder}/{name}" for name in files)] for status in [os.lstat(path)]}

    def result(self, process, before, start, memory, faults):
        new = self.numbers() - before
        folder = f"{self.home}/integrations/{BOT}/{max(new)}" if new else None
        try:
            document = json.loads(read(f"{folder}/integration.json")) if folder else None
        except ValueError:
            document = None
        words = read(self.work + "/said").decode(errors="replace")
        return Result(process.returncode, words, document, folder, time.monotonic() - start, memory, faults)

    def kill_in_the_middle(self, how, place):
        """Ends Martlet by SIGKILL while the code of a commit runs; what it left is looked at as after any integration."""
        before, start = self.numbers(), time.monotonic()
        process = self.start(self.words(how))
        sign = b".xctest\0" if place == "inside" else f"payloads.py\0{place}".encode()
        while process.poll() is None and time.monotonic() < start + 60:
            if any(sign in read(f"/proc/{pid}/cmdline") for pid in self.marked_processes()):
                time.sleep(1)
                break
            time.sleep(0.05)
        faults = [] if process.poll() is None else ["Martlet ended before it could be killed"]
        process.kill()
        process.wait()
        result = self.result(process, before, start, 0, faults)
        result.status = None
        return result

    def places(self):
        """What lies in the home, down to what a workspace consists of; workspaces of other branches and of archives stay."""
        found = set()
        for depth in range(1, 5):
            found |= {path.removeprefix(self.home) for path in glob.glob(self.home + "/*" * depth)}
        return {path for path in found if not path.startswith(("/integrations", "/site", "/toolchains", f"/workspaces/{BOT}/evil", f"/workspaces/{BOT}/main/release"))}

    # Homes

    def enter(self, how, bot=None):
        """Puts the home of a way to ask in place, with everything built, and gives what an honest commit comes to there."""
        self.set_bot(bot)
        kind = "watch" if how == "watch" else "run"
        if kind != self.kind:
            if self.kind:
                os.rename(self.home, f"{self.home}-{self.kind}")
            if os.path.lexists(f"{self.home}-{kind}"):
                os.rename(f"{self.home}-{kind}", self.home)
            self.kind = kind
        key = how, bot
        if kind not in self.attempts or self.attempts[kind] and key not in self.expected:
            self.begin(kind, bot)
        if key not in self.expected:
            result = self.integrate(how, self.honest(self.base), limit=600)
            if not result.document:
                raise RuntimeError(f"The honest commit was not integrated: {result.words}")
            self.expected[key] = self.facts(result), self.places()
        self.attempts[kind] += 1
        return self.expected[key]

    def begin(self, kind, bot):
        """Integrates an honest commit in a fresh home, which is what later ones are held against."""
        remove(self.home)
        result = self.integrate(kind, self.honest(self.base), limit=600)
        if result.outcome != "test-failures":
            raise RuntimeError(f"The honest commit was not integrated: {result.outcome}, {result.words}{result.log()[-3000:]}")
        self.attempts[kind] = 0
        self.expected.setdefault((kind, bot), (self.facts(result), self.places()))

    def leave(self):
        """Has the next attempt begin in a fresh home."""
        self.attempts.pop(self.kind, None)

    def set_bot(self, bot):
        path = f"{self.config}/bots/{BOT}.yml"
        if bot is None:
            return os.path.exists(path) and os.unlink(path)
        write(path, f"repository: {self.repository}\nbranches: [main]\nsandbox: {{mode: on}}\n{bot}")
        write(f"{self.config}/secrets/{BOT}.env", f"SIEGE_SECRET={self.secret}\n", 0o600)
        self.own(self.config)

    @staticmethod
    def facts(result):
        """What two integrations of one commit have to have in common, whatever else happened in their homes."""
        document = result.document
        if not document:
            return {"document": None, "status": result.status, "words": result.words[-600:]}
        tests, coverage = document["tests"], document["coverage"]
        return {
            "outcome": document["outcome"], "reasons": document["reasons"],
            "tests": sorted((case["id"], case["state"], [each["message"] for each in case.get("failures", [])]) for case in tests["cases"]),
            "counts": {key: value for key, value in tests.items() if isinstance(value, int)},
            "steps": [(step["name"], step.get("exitStatus"), step.get("signal")) for step in document["steps"]],
            "coverage": [(file["path"], file["lines"]) for file in coverage.get("files", [])], "complete": coverage.get("complete"),
            "errors": sorted(issue["message"] for issue in document["issues"] if issue["status"] != "resolved"),
        }

    # Afterwards

    def mend(self):
        """Puts back what an attempt changed outside, so that the next one is judged by itself."""
        for pid in self.marked_processes():
            os.kill(pid, signal.SIGKILL)
        after = self.snapshot()
        changed = [path for path in self.before.keys() | after.keys() if self.before.get(path) != after.get(path)]
        if any(path.startswith(self.outside) for path in changed):
            for path in sorted(after.keys() - self.before.keys(), reverse=True):
                if path.startswith(self.outside) and os.path.lexists(path):
                    remove(path)
            for name, text, mode in (("decoy", "decoy\n", 0o666), ("private", self.secret + "\n", 0o600), ("open/keep", "keep\n", 0o644)):
                write(f"{self.outside}/{name}", text, mode)
            for name, mode in (("open", 0o777), ("empty", 0o755)):
                os.makedirs(f"{self.outside}/{name}", exist_ok=True)
                os.chmod(f"{self.outside}/{name}", mode)
            self.own(self.outside)
    def close(self):
        self.bystander.kill()
