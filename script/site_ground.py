"""What 'script/make-site' works with: repositories that grow commit by commit, and a home with a bot for each."""
import datetime, json, os, re, shutil, subprocess, sys

PACKAGES = os.path.dirname(os.path.realpath(__file__)) + "/site-packages"
MARK = re.compile(r"\s*//:(?: (\d*)(-?)(\d*))?\s*")
FIRST_DAY = datetime.datetime(2026, 11, 2, 8, 30, tzinfo=datetime.timezone.utc)


def at(number, text):
    """A file as it is in one commit. A line '//: 3-5' begins lines of the commits 3 to 5, '//: 3' of that one alone, and
    '//: 3-' and '//: -5' have no end or beginning. '//:' ends them; a mark in the first line is for all of the file."""
    lines, outer, is_there = [], True, True
    for index, line in enumerate(text.splitlines(keepends=True)):
        mark = MARK.fullmatch(line)
        if mark:
            is_there = outer and has(number, *mark.groups())
            outer = is_there if index == 0 else outer
        elif is_there:
            lines.append(line)
    return "".join(lines)


def has(number, first, dash, last):
    return int(first or 0) <= number <= int(last or (first if first and not dash else 1000))


class Ground:
    def __init__(self, folder, program):
        self.folder, self.program = os.path.abspath(folder), program
        self.home, self.config, self.cache = (f"{self.folder}/{name}" for name in ("home", "config", "cache"))
        for place in (self.config + "/bots", self.cache):
            os.makedirs(place)
        own = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "MARTLET"))}
        self.environment = own | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "MARTLET_HOME": self.home,
                                  "MARTLET_CONFIG": self.config, "TZ": "UTC"}
        self.counts = {}

    # The repositories

    def repository(self, bot):
        return f"{self.folder}/repositories/{bot}"

    def git(self, bot, *words, person="Mira Lindqvist", number=1):
        date = (FIRST_DAY + datetime.timedelta(hours=25 * number)).isoformat()
        address = person.split()[0].lower() + "@example.org"
        who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
               for what, value in (("NAME", person), ("EMAIL", address), ("DATE", date))}
        subprocess.run(["git", "-C", self.repository(bot), *words], env=self.environment | who, check=True, stdout=subprocess.DEVNULL)

    def commit(self, bot, person, title, branch):
        """Makes the next commit of a bot's package, and writes its bot's file as it is then."""
        number = self.counts[bot] = self.counts.get(bot, 0) + 1
        place = self.repository(bot)
        if number == 1:
            os.makedirs(place)
            self.git(bot, "init", "--quiet", "--initial-branch=main")
            # Who silences something is who commits in the repository.
            self.git(bot, "config", "user.name", "Mira Lindqvist")
            self.git(bot, "config", "user.email", "mira@example.org")
        elif branch != self.branch(bot):
            is_new = not os.path.exists(f"{place}/.git/refs/heads/{branch}")
            self.git(bot, "checkout", "--quiet", *(["-b"] if is_new else []), branch)
        self.git(bot, "rm", "-r", "--quiet", "--ignore-unmatch", ".")
        for path, text in self.files(bot, number):
            if path == "bot.yml":
                self.set_bot(bot, text)
                continue
            os.makedirs(os.path.dirname(f"{place}/{path}"), exist_ok=True)
            with open(f"{place}/{path}", "w") as file:
                file.write(text)
        self.git(bot, "add", "--all")
        self.git(bot, "commit", "--quiet", "--message", title, person=person, number=number)

    def branch(self, bot):
        with open(self.repository(bot) + "/.git/HEAD") as file:
            return file.read().strip().removeprefix("ref: refs/heads/")

    @staticmethod
    def files(bot, number):
        top = f"{PACKAGES}/{bot}"
        for folder, _, names in os.walk(top):
            for name in names:
                with open(f"{folder}/{name}") as file:
                    text = at(number, file.read())
                # What no commit has in it yet is not there.
                if text:
                    yield os.path.relpath(f"{folder}/{name}", top), text

    # The home

    def set_bot(self, bot, text):
        # A quarantine ends some day, and has to hold whenever the site is made.
        later = datetime.date.today() + datetime.timedelta(days=60)
        with open(f"{self.config}/bots/{bot}.yml", "w") as file:
            file.write(f"repository: {self.repository(bot)}\n" + text.replace("FOLDER", self.folder).replace("LATER", str(later)))

    def martlet(self, *words):
        run = subprocess.run([self.program, *words], env=self.environment, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr

    def integrate(self):
        """Has all bots integrate what is new; gives what the watcher said."""
        status, words = self.martlet("watch", "--once", "--jobs", "2")
        if status > 3:
            sys.exit(f"error: 'martlet watch --once' ended with status {status}: {words}")
        return words

    def newest(self, bot):
        """The number and the document of a bot's newest integration; nil if it has none."""
        folder = f"{self.home}/integrations/{bot}"
        numbers = [int(name) for name in os.listdir(folder) if name.isdigit()] if os.path.isdir(folder) else []
        if not numbers:
            return 0, {}
        with open(f"{folder}/{max(numbers)}/integration.json") as file:
            return max(numbers), json.load(file)

    def cool(self):
        """Takes away what a test looks for in the cache, so that it fails once."""
        shutil.rmtree(self.cache)
        os.makedirs(self.cache)

    def silence(self, bot, kind, reason):
        issue = next((issue["id"] for issue in self.newest(bot)[1]["issues"] if issue["kind"] == kind), "none")
        status, words = self.martlet("silence", issue, "--bot", bot, "--reason", reason)
        if status:
            sys.exit(f"error: {words}")
