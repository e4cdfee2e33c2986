"""Writes regions.txt: the regions of each declaration of Ways.swift.txt as the swift on PATH tells them, those of its
closures and accessors included; a star stands before each that is a whole body."""

import json, os, re, shutil, subprocess, tempfile

here = os.path.dirname(os.path.abspath(__file__))
tools = os.path.dirname(os.path.realpath(shutil.which("swift")))


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


with tempfile.TemporaryDirectory() as work:
    source = os.path.join(work, "Ways.swift")
    with open(os.path.join(here, "Ways.swift.txt")) as text, open(source, "w") as out:
        out.write(text.read() + "@main struct Main { static func main() {} }\n")
    flags = ["-swift-version", "6", "-parse-as-library", "-profile-generate", "-profile-coverage-mapping", "-D", "DEBUG"]
    run("swiftc", *flags, source, "-o", "ways", cwd=work)
    run("./ways", cwd=work, env={"LLVM_PROFILE_FILE": "ways.profraw"})
    run(f"{tools}/llvm-profdata", "merge", "ways.profraw", "-o", "ways.profdata", cwd=work)
    export = json.loads(run(f"{tools}/llvm-cov", "export", "-instr-profile", "ways.profdata", "ways", cwd=work))

functions = export["data"][0]["functions"]
symbols = "".join(function["name"].split(":")[-1] + "\n" for function in functions)
names = run(f"{tools}/swift-demangle", "--simplified", "--compact", input=symbols).splitlines()
declarations = {}
for name, function in zip(names, functions):
    name = re.sub(r"^((implicit )?closure #\d+ in |variable initialization expression of |default argument \d+ of )*", "", name)
    name = re.sub(r"\.(getter|setter|didset)$", "", name)
    regions = sorted(tuple(region[:4]) for region in function["regions"] if region[7] == 0)
    body = max(region for region in regions if region[:2] == regions[0][:2])
    declarations.setdefault(name, []).extend((region, region == body) for region in regions)
with open(os.path.join(here, "regions.txt"), "w") as out:
    for name, regions in sorted(declarations.items(), key=lambda item: sorted(item[1])):
        if name.startswith("static Main"):
            continue
        spans = ("%s%d:%d-%d:%d" % ("*" if whole else "", *region) for region, whole in sorted(regions))
        out.write(name + "\t" + " ".join(spans) + "\n")
