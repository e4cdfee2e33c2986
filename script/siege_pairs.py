"""The last commits of a repository, integrated after a hostile one, and in a fresh home."""
import collections, json, os, re, shutil, subprocess, sys, tempfile
from siege_ground import MANIFEST, PACKAGE
from siege_machine import read, remove, write

COMMITS = 20
#: What two commits carry out before the others, by branch: (place, name). What was built of a branch serves that branch.
HOSTILE = {
    "siege": [("manifest", name) for name in (
        "quick_manifests", "mirrors", "git_settings", "shell_settings", "clang_settings", "setuid_file", "links_to_remove", "strange_names")],
    "evil": [("manifest", name) for name in ("patch_library", "patch_library_later", "build_database", "module_cache")],
}
#: Keys of a document that tell of times, numbers, sizes of processes, or of what came before.
UNSTEADY = {
    "number", "queuedAt", "startedAt", "endedAt", "duration", "cpu", "peakMemory", "baseline", "age", "id", "streaks", "since", "firstSeen",
    "status", "deltas", "warmth", "build", "attempts", "suspects", "practice", "commits", "history", "compared", "comparison", "changes",
    "warm", "slow", "streakStart", "coverageBaseline", "branchPoint",
}


def steady(value, home):
    if isinstance(value, dict):
        # The ids of tests are names; those of issues are made of what came before.
        keys = UNSTEADY - ({"id", "status"} if "state" in value else set())
        return {key: steady(each, home) for key, each in value.items() if key not in keys}
    if isinstance(value, list):
        return [steady(each, home) for each in value]
    if isinstance(value, str):
        return re.sub(r"\d+(\.\d+)? (s|ms|seconds?)\b", "TIME", value.replace(home, "HOME"))
    return value


def unlike(one, other, path=""):
    """The places where two values differ, with both."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from unlike(one.get(key), other.get(key), f"{path}.{key}" if path else key)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other)):
            yield from unlike(*pair, f"{path}[{index}]")
    elif one != other:
        yield path, one, other


class Pair:
    def __init__(self, program, source, work):
        self.program, self.work, self.home = program, work, work + "/home"
        self.name = os.path.basename(source.rstrip("/")).removesuffix(".git")
        self.repository = f"{work}/{self.name}"
        subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", source, self.repository], check=True)
        self.commits = self.git("rev-list", "--first-parent", f"--max-count={COMMITS}", "HEAD").split()[::-1]

    def git(self, *words):
        person = {f"GIT_{who}_{what}": "siege@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {"PATH": os.environ["PATH"], "HOME": self.work, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
        return subprocess.run(
            ["git", "-C", self.repository, *words], env=environment | person, check=True, capture_output=True, text=True).stdout.strip()

    def hostile(self, parent, attempts):
        """A commit with a manifest that attacks."""
        self.git("checkout", "--quiet", "--detach", parent)
        manifest = read(self.repository + "/Package.swift").decode()
        write(self.repository + "/Attacks.txt", "".join(f"{place} {name}\n" for place, name in attempts))
        shutil.copy(PACKAGE + "/payloads.py", self.repository)
        shutil.copytree(PACKAGE + "/Payloads", self.repository + "/Payloads", ignore=shutil.ignore_patterns("__pycache__"))
        aims = collections.defaultdict(str, outside=self.work + "/outside", token="pairs", home=self.home, bot=self.name, words="nothing",
                                       private="/nowhere", processes=os.readlink("/proc/self/ns/pid"), repository=self.repository)
        write(self.repository + "/Targets.json", json.dumps(aims))
        write(self.repository + "/Package.swift", manifest + "\nimport Foundation\n" + MANIFEST % "pairs")
        self.git("add", "--all", "--force")
        self.git("commit", "--quiet", "--message", "hostile")
        return self.git("rev-parse", "HEAD")

    def integrate(self, commit, branch="siege"):
        self.git("update-ref", f"refs/heads/{branch}", commit)
        environment = {"PATH": os.environ["PATH"], "HOME": self.work, "MARTLET_HOME": self.home, "LANG": "C.UTF-8"}
        run = subprocess.run(
            [self.program, "run", self.repository, "--branch", branch, "--sandbox", "on", "--quiet", "--json"], env=environment,
            capture_output=True, text=True)
        try:
            return json.loads(run.stdout)
        except ValueError:
            return {"outcome": None, "reasons": [f"exit status {run.returncode}: {run.stderr[-500:]}"]}

    def series(self, before=()):
        """The documents of all commits in a home that is fresh but for commits before them, by branch."""
        remove(self.home)
        for branch, commit in before:
            self.integrate(self.commits[0], branch)
            document = self.integrate(commit, branch)
            print(f"{self.name}: the hostile commit on {branch} came to {document['outcome']}", flush=True)
        return [self.integrate(commit) for commit in self.commits]

    def differences(self):
        before = [(branch, self.hostile(self.commits[0], attempts)) for branch, attempts in HOSTILE.items()]
        fresh, after = self.series(), self.series(before)
        count = 0
        for commit, left, right in zip(self.commits, fresh, after):
            one, other = steady(left, self.home), steady(right, self.home)
            found = list(unlike(one, other))
            for place, before, after_it in found[:5]:
                print(f"{self.name} {commit[:10]}: {place} is {json.dumps(after_it)[:200]}, not {json.dumps(before)[:200]}")
            count += bool(found)
        outcomes = collections.Counter(document["outcome"] for document in fresh)
        told = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
        print(f"{self.name}: {len(fresh)} commits ({told}), {count} differ", flush=True)
        return count


def run(program, repositories):
    if not repositories:
        sys.exit("error: --pairs takes repositories of packages. See 'script/siege --help'.")
    wrong = 0
    for repository in repositories:
        work = os.path.realpath(tempfile.mkdtemp(prefix="siege-"))
        try:
            wrong += Pair(program, os.path.abspath(repository), work).differences()
        finally:
            remove(work)
    print(f"{wrong} commits differ")
    return 1 if wrong else 0
