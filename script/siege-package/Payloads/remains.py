"""Attempts that leave something for later commits: bits, links, sources, caches."""
import fcntl, glob, json, os, shutil, signal, socket, sqlite3, struct, subprocess, time
from ground import *

# Bits and files that stay


def with_bits(bits, suffix):
    for folder in spots():
        path = f"{folder}/{suffix}-{place}"
        quietly(shutil.copy, "/bin/true", path)
        quietly(os.chmod, path, bits)
def setuid_file(): with_bits(0o4755, "setuid")
def setgid_file(): with_bits(0o2755, "setgid")
def setuid_own_products():
    for path in glob.glob((scratch() or here) + "/**/*.xctest", recursive=True) + glob.glob((scratch() or here) + "/**/app", recursive=True):
        quietly(os.chmod, path, 0o6755)
def sticky_folder():
    for folder in spots(): quietly(os.mkdir, f"{folder}/sticky-{place}"); quietly(os.chmod, f"{folder}/sticky-{place}", 0o1777)
def setgid_folder():
    for folder in spots(): quietly(os.mkdir, f"{folder}/group-{place}"); quietly(os.chmod, f"{folder}/group-{place}", 0o2777)
def setuid_top():
    for folder in spots(): quietly(os.chmod, folder, 0o7777)
def open_to_all():
    for folder in spots(): quietly(os.chmod, folder, 0o777); quietly(put, f"{folder}/open-{place}", "siege", 0o666)
def setuid_calls():
    """Every call that makes a file or a folder with a mode, or changes it."""
    for folder in spots():
        path = lambda name: f"{folder}/{name}-call-{place}".encode()
        flags = os.O_WRONLY | os.O_CREAT
        call((257, 56), -100, path("openat"), flags, 0o4755)
        call(437, -100, path("openat2"), struct.pack("=QQQ", flags, 0o4755, 0), 24)
        call((259, 33), -100, path("mknodat"), 0o104755, 0)
        call((258, 34), -100, path("mkdirat"), 0o3777)
        for name, change in (("fchmodat", lambda path: call((268, 53), -100, path, 0o6755)), ("fchmodat2", lambda path: call(452, -100, path, 0o6755, 0)),
                             ("fchmod", lambda path: call((91, 52), os.open(path, os.O_RDONLY), 0o6755))):
            if not is_blocked(put, path(name).decode())[1]: change(path(name))
        if MACHINE == "x86_64":
            call(2, path("open"), flags, 0o4755); call(85, path("creat"), 0o2755); call(83, path("mkdir"), 0o3777); call(133, path("mknod"), 0o104755, 0)
            if not is_blocked(put, path("chmod").decode())[1]: call(90, path("chmod"), 0o6755)
        for name in os.listdir(folder):
            if f"-call-{place}" in name and os.lstat(f"{folder}/{name}").st_mode & 0o7000: through(f"{folder}/{name} has such bits")
def setuid_late():
    if offspring() == 0:
        os.setsid()
        for _ in range(600): time.sleep(0.05); with_bits(0o4755, "late")
        os._exit(0)
def fifos():
    for folder in spots(): quietly(os.mkfifo, f"{folder}/fifo-{place}")
def sockets():
    for folder in spots():
        door = socket.socket(socket.AF_UNIX)
        quietly(os.chdir, folder); quietly(door.bind, f"socket-{place}")


def replace(path, target):
    if os.path.lexists(path) and quietly(os.rename, path, path + "~") is None and os.path.lexists(path): return
    quietly(os.symlink, target, path)
def links_handed_back():
    """Puts links to the outside in the place of everything that is handed back."""
    for folder in filter(None, (handed(), profiles())):
        for entry in quietly(os.listdir, folder) or []: replace(f"{folder}/{entry}", f"{outside}/open")
        for entry in ("crashes", "channel-1", "channel-2", "channel-xctest", "channel-swift-testing", "attachments-1", "attachments-2",
                      "swift-testing-1.jsonl", "swift-testing-2.jsonl", "swift-testing-list.jsonl"):
            replace(f"{folder}/{entry}", f"{outside}/open/{entry}" if "." in entry else f"{outside}/open")
def links_in_crashes():
    folder = handed() and handed() + "/crashes"
    for entry in (quietly(os.listdir, folder) or []) if folder else []: replace(f"{folder}/{entry}", f"{outside}/empty")
def links_then_crash(): links_handed_back(); os.kill(os.getppid(), signal.SIGSEGV)
def crash_links_then_crash(): links_in_crashes(); os.kill(os.getppid(), signal.SIGSEGV)
def private_as_results():
    for folder in filter(None, (handed(), profiles())):
        for entry in ("swift-testing-1.jsonl", "swift-testing-list.jsonl", "default.profraw", "crashes/1/report-1-.json", "leaked.profraw"):
            quietly(os.makedirs, os.path.dirname(f"{folder}/{entry}"), exist_ok=True)
            replace(f"{folder}/{entry}", aim["private"])
def fifo_as_results():
    for folder in filter(None, (handed(), profiles())):
        for entry in ("x.profraw", "y.profraw", "swift-testing-list.jsonl", "crashes/fifo.json"):
            quietly(os.unlink, f"{folder}/{entry}"); quietly(os.mkfifo, f"{folder}/{entry}")
def endless_profile():
    for folder in filter(None, (handed(), profiles())): quietly(os.symlink, "/dev/zero", f"{folder}/zero.profraw")
def garbage_profiles():
    for index in range(300):
        for folder in filter(None, (profiles(),)):
            quietly(lambda: open(f"{folder}/garbage-{index}.profraw", "wb").write(os.urandom(5000)))
def sparse_results():
    for folder in filter(None, (handed(), profiles())):
        for entry in ("sparse.profraw", "sparse.jsonl", "crashes/sparse.json"):
            quietly(lambda: open(f"{folder}/{entry}", "wb").truncate(900 << 20))
def many_results():
    for folder in filter(None, (handed(),)):
        for index in range(20_000): quietly(lambda: open(f"{folder}/{index}", "wb").close())
def results_without_rights():
    for folder in filter(None, (handed(), profiles())):
        quietly(os.makedirs, f"{folder}/shut/deeper"); quietly(os.chmod, f"{folder}/shut", 0); quietly(os.chmod, folder, 0)


# What later commits meet: sources, scratch, caches, homes


def quick_manifests(flag=b"QUICK"):
    """SwiftPM's cache of manifests says that a condition is set."""
    for top in (os.environ.get("HOME", ""), aim["home"]):
        for path in glob.glob(top + "/**/manifest.db", recursive=True, include_hidden=True):
            def poison():
                base = sqlite3.connect(path, timeout=5)
                for table, in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                    for key, value in base.execute(f"SELECT key, value FROM {table}").fetchall():
                        text = value if isinstance(value, bytes) else str(value).encode()
                        changed = poisoned(text)
                        if changed != text: base.execute(f"UPDATE {table} SET value = ? WHERE key = ?", (changed, key))
                base.commit()
            try: poison()
            except sqlite3.Error: pass
def poisoned(text):
    try: entry = json.loads(text)
    except ValueError: return text
    def change(value):
        if isinstance(value, dict):
            if value.get("name") in ("Siege", "SiegeTests") and "type" in value:
                value["swiftSettings"] = (value.get("swiftSettings") or []) + [{"data": {"name": "define", "value": ["QUICK"]}}]
                value["exclude"] = (value.get("exclude") or []) + (["HonestTests.swift"] if value["name"] == "SiegeTests" else [])
            for key in value: value[key] = change(value[key])
        elif isinstance(value, list): value = [change(each) for each in value]
        elif isinstance(value, str) and value.startswith("{"): value = poisoned(value.encode()).decode()
        return value
    return json.dumps(change(entry)).encode()
def own_database():
    """All databases of the caches are made wrong."""
    for path in glob.glob(os.environ.get("HOME", "/nowhere") + "/**/*.db", recursive=True, include_hidden=True):
        quietly(put, path, "no database")
def patch_objects(folder=None):
    """Turns the code that is red into code that is not, in place, with size and time kept."""
    for path in glob.glob((folder or scratch() or "/nowhere") + "/**/Red.swift.o", recursive=True):
        def patch():
            with open(path, "r+b") as file:
                data, before = file.read(), os.stat(path)
                # xorl %eax, %eax, or movl $0 or movw $0, before the end of the function: the only ones in this object.
                changed = data
                for old, new in ((b"\x31\xc0", b"\xb0\x01"), (b"\xb8\0\0\0\0", b"\xb8\1\0\0\0"), (b"\0\0\x80\x52", b"\x20\0\x80\x52"), (b"\0\0\x80\x12", b"\x20\0\x80\x52")):
                    changed = changed.replace(old, new)
                file.seek(0); file.write(changed)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
            if changed == data: say(f"USELESS {mark()}")
        quietly(patch)
def later(action, seconds):
    """Leaves a process that acts once the building has ended."""
    if offspring(): return
    os.setsid()
    for descriptor in (0, 1, 2): os.dup2(os.open("/dev/null", os.O_RDWR), descriptor)
    if offspring(): os._exit(0)
    for _ in range(int(seconds * 10)): time.sleep(0.1); action()
    os._exit(0)
def patch_objects_later(): later(patch_objects, 20)
def quick_manifests_later(): later(quick_manifests, 20)
def patch_library_later(): later(patch_library, 20)
def patch_library():
    """Every object and product of the build is garbage afterwards."""
    for path in glob.glob((scratch() or "/nowhere") + "/**/*.o", recursive=True) + glob.glob((scratch() or "/nowhere") + "/**/*.swiftmodule", recursive=True):
        def spoil():
            before = os.stat(path)
            with open(path, "r+b") as file: file.seek(100); file.write(b"siege" * 10)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        quietly(spoil)
def build_database():
    for entry in ("build.db", "workspace-state.json", "plugin-tools.yaml", "debug.yaml"):
        for path in glob.glob(f"{scratch() or '/nowhere'}/{entry}"): quietly(put, path, "siege")
def edited_plan():
    for path in glob.glob((scratch() or "/nowhere") + "/*.yaml"):
        def edit():
            text = open(path).read(); before = os.stat(path)
            open(path, "w").write(text.replace('"-DSWIFT_PACKAGE"', '"-DSWIFT_PACKAGE","-DQUICK"'))
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        quietly(edit)
def module_cache():
    for top in (scratch(), os.environ.get("HOME")):
        for path in glob.glob((top or "/nowhere") + "/**/*.pcm", recursive=True, include_hidden=True):
            quietly(lambda: open(path, "r+b").write(b"siege" * 100))
def plugin_binary():
    for path in glob.glob((scratch() or "/nowhere") + "/plugins/cache/*"): quietly(put, path, "#!/bin/sh\nexit 0\n", 0o755)
def edit_source(): 
    for path, text in (("Sources/Siege/Red.swift", "public func isRight() -> Bool { true }\n"),
                       ("Tests/SiegeTests/HonestTests.swift", "import XCTest\n")):
        def edit():
            before = os.stat(f"{here}/{path}")
            put(f"{here}/{path}", text)
            os.utime(f"{here}/{path}", ns=(before.st_atime_ns, before.st_mtime_ns))
        quietly(edit)
def edit_source_of_app(): quietly(put, f"{here}/Sources/app/main.swift", 'print("tampered")\n')
def plant_source(): quietly(put, f"{here}/Sources/Siege/Planted.swift", "import Foundation\npublic let planted = { exit(0) }()\n#error(\"planted\")\n")
def plant_test(): quietly(put, f"{here}/Tests/SiegeTests/Planted.swift", "import XCTest\nfinal class Planted: XCTestCase { func testPlanted() {} }\n")
def plant_manifest():
    for version in ("6", "6.0", "6.1", "6.2", "6.3"): quietly(put, f"{here}/Package@swift-{version}.swift", open(f"{here}/Package.swift").read().replace("[SwiftSetting] = []", '[SwiftSetting] = [.define("QUICK")]'))
def plant_settings(): quietly(put, f"{here}/.martlet.yml", 'tests: {skip: ["testRed"]}\n')
def plant_resolved(): quietly(put, f"{here}/Package.resolved", '{"pins": [], "version": 99}')
def plant_ignored():
    quietly(put, f"{here}/.gitignore", "*\n"); quietly(put, f"{here}/Sources/Siege/Ignored.swift", "#error(\"planted\")\n")
def plant_repository():
    quietly(shutil.rmtree, f"{here}/.git")
    subprocess.run(["git", "init", "-q", here], stderr=subprocess.DEVNULL)
    quietly(put, f"{here}/.git/config", f"[core]\n\tfsmonitor = touch {outside}/open/by-fsmonitor\n\thooksPath = {here}\n")
def source_as_link():
    for entry in ("Sources", "Tests"):
        quietly(os.rename, f"{here}/{entry}", f"{here}/{entry}~"); quietly(os.symlink, outside + "/open", f"{here}/{entry}")
def honest_as_link():
    for entry in ("Sources/Siege/Honest.swift", "Attacks.txt"):
        quietly(os.unlink, f"{here}/{entry}"); quietly(os.symlink, f"{outside}/decoy", f"{here}/{entry}")
def tests_as_folder():
    quietly(os.unlink, f"{here}/Sources/Siege/Honest.swift"); quietly(os.makedirs, f"{here}/Sources/Siege/Honest.swift/full/of/folders")
def mirrors():
    text = json.dumps({"object": [{"mirror": "https://example.org/evil", "original": "https://example.org/good"}], "version": 1})
    for path in (".swiftpm/configuration/mirrors.json", ".config/swiftpm/configuration/mirrors.json"):
        quietly(put, f"{os.environ.get('HOME', '/tmp')}/{path}", text)
def registries():
    quietly(put, f"{os.environ.get('HOME', '/tmp')}/.swiftpm/configuration/registries.json", "no json")
def git_settings():
    home = os.environ.get("HOME", "/tmp")
    quietly(put, home + "/.gitconfig", f"[core]\n\tfsmonitor = touch {outside}/open/by-gitconfig\n[init]\n\ttemplateDir = {home}/templates\n[url \"file:///nowhere\"]\n\tinsteadOf = https://\n")
    quietly(put, home + "/.config/git/config", "[broken\n")
    quietly(put, home + "/.netrc", "machine example.org login siege password siege\n")
    quietly(put, home + "/.ssh/config", f"Host *\n  ProxyCommand touch {outside}/open/by-ssh\n")
def shell_settings():
    for path in (".profile", ".bashrc", ".zshenv", ".lldbinit", ".config/clang/clang.cfg", "clang.cfg"): quietly(put, f"{os.environ.get('HOME', '/tmp')}/{path}", "exit 1\n")
def clang_settings():
    for folder in spots(): quietly(put, f"{folder}/x86_64-unknown-linux-gnu.cfg", "-DQUICK\n"); quietly(put, f"{folder}/module.modulemap", "broken {\n")
def settings_as_links():
    home = os.environ.get("HOME", "/tmp")
    for entry in (".cache", ".swiftpm", ".local", ".config"):
        quietly(os.rename, f"{home}/{entry}", f"{home}/{entry}~"); quietly(os.symlink, outside + "/open", f"{home}/{entry}")
def locks_held():
    """Takes every lock of SwiftPM's and goes on holding it."""
    def hold():
        for folder in spots():
            for path in glob.glob(folder + "/**/*lock*", recursive=True, include_hidden=True):
                quietly(lambda: fcntl.flock(os.open(path, os.O_RDWR), fcntl.LOCK_EX | fcntl.LOCK_NB))
        time.sleep(600)
    if offspring() == 0: os.setsid(); hold()
