"""What the commits of script/siege carry out, inside tests, manifests, plugins, commands of the build and triggers.

Each function of the modules is one attempt, named like it. It tells with `through` what it could do and must not be able to,
where only it can see that; everything else is looked at outside. Targets.json says where it aims; the place of each attempt
stands in Attacks.txt, `PLACE NAME`. The second argument is a file for what is told, where nobody is shown what is printed.
"""
import os, sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/Payloads")
import calls, endings, machine, remains
from ground import aim, current, here, place, say, through


def main():
    with open(here + "/Attacks.txt") as file:
        attempts = [line.split() for line in file.read().splitlines()]
    mine = [word for kind, word in attempts if kind == place]
    if mine and os.readlink("/proc/self/ns/pid") == aim["processes"]:
        current[0] = "containment"
        return through("there is none, so nothing is tried")
    for name in mine:
        current[0] = name
        # Some end, or shut, everything.
        say(f"RAN {place}-{name}")
        try:
            next(vars(module)[name] for module in (calls, endings, machine, remains) if name in vars(module))()
        except Exception as error:
            say(f"ERROR {place}-{name}: {error!r}")


main()
sys.stdout.flush()
os._exit(0)
