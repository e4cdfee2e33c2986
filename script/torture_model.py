"""What script/torture changes, and what must follow from it."""
import collections, os, subprocess


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + "~", "w") as file:
        file.write(text)
    os.chmod(path + "~", mode)
    os.rename(path + "~", path)


class Repository:
    """A repository, changed as a push changes it: objects first, then one ref."""

    def __init__(self, path, environment):
        self.path, self.environment = path, environment
        self.parents = {}  # of every commit that was made
        self.serial = 0
        os.makedirs(self.path)
        self.git("init", "--quiet", "--bare", "--initial-branch=main")
        blob = self.git("hash-object", "-w", "--stdin", text="// swift-tools-version: 6.0\n")
        self.tree = self.git("mktree", text=f"100644 blob {blob}\tPackage.swift\n")
        self.refs = {}
        self.past = collections.defaultdict(set)  # all tips that a branch ever had
        self.move("main", self.commit(None))

    def git(self, *words, text=""):
        run = subprocess.run(
            ["git", *words], cwd=self.path, env=self.environment, input=text, stdout=subprocess.PIPE, text=True,
            check=True)
        return run.stdout.strip()

    def commit(self, parent):
        self.serial += 1
        words = ["-p", parent] if parent else []
        commit = self.git("commit-tree", self.tree, *words, "-m", f"{self.serial}")
        self.parents[commit] = parent
        return commit

    def move(self, branch, commit):
        self.git("update-ref", f"refs/heads/{branch}", commit)
        self.refs[branch] = commit
        self.past[branch].add(commit)

    def delete(self, branch):
        self.git("update-ref", "-d", f"refs/heads/{branch}")
        del self.refs[branch]

    def reach(self, commit):
        reached = set()
        while commit:
            reached.add(commit)
            commit = self.parents[commit]
        return reached


class Bot:
    """A bot, and what the model knows about it."""

    def __init__(self, file, toolchain, repository):
        self.file, self.toolchain, self.repository = file, toolchain, repository
        self.name = os.path.basename(file).removesuffix(".yml")
        self.policy, self.is_right = ("every" if self.name == "each" else "latest"), True
        self.base = {}  # the refs when the bot was compared last
        self.remade = set()  # branches that were created or deleted since
        self.wanted = collections.defaultdict(set)  # the commits to be integrated, by branch
        self.save()

    @property
    def conduct(self):
        """One bot does everything that has folders of its own; the others are quick."""
        return "clean: always\nactions: [build, test, archive]" if self.name == "third" else "sandbox: {mode: off}\nactions: [build]"

    def save(self):
        text = (
            f"repository: {self.repository.path}\ntoolchain: {self.toolchain}\n{self.conduct}\n"
            f"branches: [main, topic/*]\ncommits: {self.policy}\nschedule: {{also-when-toolchain-changes: false}}\n")
        write(self.file, text if self.is_right else text + "shedule: {}\n")

    def settle(self):
        """Adds what must be integrated since the last time: all that the new tip of a branch reaches and the old one did
        not; of a branch that is new only the tip, since nobody may have seen it before, and not even that when it is an
        ancestor of an earlier tip, which may have been seen and counts for it."""
        for branch, tip in self.repository.refs.items():
            old = self.base.get(branch)
            new = self.repository.reach(tip) - self.repository.reach(old)
            if branch in self.remade or not old:
                new &= {tip}
                for past in self.repository.past[branch] - {tip}:
                    new -= self.repository.reach(past)
            self.wanted[branch] |= new
        self.base, self.remade = dict(self.repository.refs), set()
