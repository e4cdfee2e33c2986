"""Tries the mutants of a mutants.json in edited sources; see check-mutants."""
import concurrent.futures
import json
import os
import resource
import subprocess
import sys
import time

# The order of what is put in at one place: behind the text of all conditions.
OUTERMOST = 1 << 30


def edit(package, functions, conditions):
    """Puts the switches in; gives the mutants by number."""
    mutants, insertions = [], {}
    for function in functions:
        switches = ""
        for mutant in function["mutants"]:
            switches += f" if martletMutant == {len(mutants)} {{ return {mutant['body']} }};"
            mutants.append((function, mutant))
        # A body of one expression would need its `return` with something before it; in a closure it does not.
        has_result = function["mutants"][0]["body"] != ""
        opening, closing = ("return try {", "}() ") if has_result else ("", "")
        places = insertions.setdefault(function["path"], [])
        places.append((function["line"], function["column"], -OUTERMOST, switches + " " + opening))
        places.append((function["lastLine"], function["lastColumn"] - 1, OUTERMOST, " " + closing))
    for condition in conditions:
        # Of two that begin at one place the shorter one is inside.
        order = -len(condition["text"])
        places = insertions.setdefault(condition["path"], [])
        places.append((condition["line"], condition["column"] - 1, order, f"martletNegated({len(mutants)}, "))
        places.append((condition["lastLine"], condition["lastColumn"], -order, ")"))
        mutants.append((condition, condition["mutants"][0]))
    for path, places in insertions.items():
        name = os.path.join(package, path)
        with open(name, "rb") as file:
            lines = file.read().split(b"\n")
        for row, column, _, text in sorted(places, reverse=True):
            line = lines[row - 1]
            lines[row - 1] = line[:column] + text.encode() + line[column:]
        with open(name, "wb") as file:
            file.write(b"\n".join(lines))
    return mutants


def has_body(package, function):
    """Whether a switch can be put in: the value of a lazy property is a function without braces, and of a property with
    both accessors, which are one function in a report, the last one is the setter."""
    with open(os.path.join(package, function["path"]), "rb") as file:
        line = file.read().split(b"\n")[function["line"] - 1]
    head, body = line[:function["column"] - 1].split(), line[function["column"] - 1:]
    return body.startswith(b"{") and (head[-1:] != [b"set"] or function["mutants"][0]["body"] == "")


def add_switch(package, subjects):
    """Gives each module the number of the mutant that is asked for."""
    for folder in {module_of(subject["path"]) for subject in subjects}:
        with open(os.path.join(package, folder, "MartletMutant.swift"), "w") as file:
            file.write("import Foundation\n\n@usableFromInline let martletMutant = "
                       "Int(ProcessInfo.processInfo.environment[\"MARTLET_MUTANT\"] ?? \"\") ?? -1\n\n"
                       "@usableFromInline func martletNegated(_ mutant: Int, _ condition: Bool) -> Bool {\n"
                       "  condition != (mutant == martletMutant)\n}\n")


def module_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "Sources" and len(parts) > 2 else os.path.dirname(path)


def run(program, number, timeout):
    """Whether some test notices the mutant; who loops or eats memory is stopped, and noticed."""
    most = 4 << 30
    environment = dict(os.environ, MARTLET_MUTANT=str(number), SWIFT_BACKTRACE="enable=no", LLVM_PROFILE_FILE="/dev/null")
    for arguments in ([], ["--testing-library", "swift-testing", "--no-parallel"]):
        try:
            done = subprocess.run([program, *arguments], env=environment, timeout=timeout, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, start_new_session=True,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (most, most)))
        except subprocess.TimeoutExpired:
            return True
        if done.returncode not in (0, 69):
            return True
    return False


def main():
    package, document = sys.argv[1:]
    with open(document) as file:
        report = json.load(file)
    functions, conditions = ([each for each in report.get(kind, []) if "mutants" in each] for kind in ("functions", "conditions"))
    functions = [function for function in functions if has_body(package, function)]
    if not functions and not conditions:
        sys.exit("Nothing was judged.")
    mutants = edit(package, functions, conditions)
    add_switch(package, functions + conditions)
    build = ["swift", "build", "--build-tests", "--package-path", package]
    done = subprocess.run(build, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit((done.stdout + done.stderr)[-3000:])
    where = subprocess.run(["swift", "build", "--show-bin-path", "--package-path", package], capture_output=True, text=True)
    folder = where.stdout.strip()
    program = next(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".xctest"))
    start = time.monotonic()
    if run(program, -1, 600):
        sys.exit("The tests do not pass with the switches in the sources.")
    longest = 5 + 10 * (time.monotonic() - start)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        noticed = list(pool.map(lambda number: run(program, number, longest), range(len(mutants))))
    for (subject, mutant), seen in zip(mutants, noticed):
        told = "noticed" in mutant
        if told != seen:
            wrong += 1
            name = subject.get("name") or subject["text"]
            print(f"{subject['path']}:{subject['line']}: {name} -> {mutant['body'] or 'nothing'}: "
                  f"Martlet says {'noticed' if told else 'not noticed'}, the edited source {'noticed' if seen else 'not noticed'}")
    survived = sum("noticed" not in mutant for _, mutant in mutants)
    print(f"{len(mutants)} mutants of {len(functions)} functions and {len(conditions)} conditions, "
          f"{survived} not noticed, {wrong} differ")
    sys.exit(wrong > 0)


main()
