"""The package of script/check-incremental: what it consists of, and how it is edited."""
import copy, os, re

MACRO = r'''import Foundation
// The compiler sends messages of JSON, each behind its length in 8 bytes.
func receive(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count), got = 0
  while got < count {
    let more = bytes.withUnsafeMutableBytes { read(0, $0.baseAddress! + got, count - got) }
    if more <= 0 { return nil }
    got += more
  }
  return bytes
}
func send(_ text: String) {
  var length = UInt64(text.utf8.count).littleEndian
  var data = withUnsafeBytes(of: &length) { Array($0) } + Array(text.utf8)
  while !data.isEmpty {
    let count = write(1, data, data.count)
    data.removeFirst(count)
  }
}
while let head = receive(8) {
  let count = head.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
  guard let bytes = receive(count) else { break }
  let message = try! JSONSerialization.jsonObject(with: Data(bytes)) as! [String: Any]
  switch message.keys.first! {
  case "getCapability": send(#"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#)
  case "expandFreestandingMacro": send(#"{"expandMacroResult":{"expandedSource":"\#(expansion())","diagnostics":[]}}"#)
  default: send(#"{"expandMacroResult":{"diagnostics":[]}}"#)
  }
}
'''
#: A plugin that makes a source of each file of a folder, by a command that runs before builds or as a part of them. Swift Build
#: would take $(…) for a setting of its own.
PLUGIN = '''import Foundation
import PackagePlugin
@main struct NAME: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) async throws -> [Command] {
    let folder = context.package.directoryURL.appendingPathComponent("FOLDER")
    let out = context.pluginWorkDirectoryURL.appendingPathComponent("out")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let line = { (name: String) in
      "echo \\"extension Made { static func FOLDER_\\(name)(_ x: Int) -> Int { `cat \\(folder.path)/\\(name)` + 100 } }\\" > \\(out.path)/\\(name)FOLDER.swift"
    }
    COMMANDS
  }
}
'''
COMMANDS = {"Gen": '''return names.map { name in
      .buildCommand(
        displayName: "make \\(name)", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", "mkdir -p \\(out.path); " + line(name)], inputFiles: [folder.appendingPathComponent(name)],
        outputFiles: [out.appendingPathComponent("\\(name)FOLDER.swift")])
    }''', "Pre": '''return [.prebuildCommand(
      displayName: "make", executable: URL(fileURLWithPath: "/bin/sh"),
      arguments: ["-c", "set -e; rm -rf \\(out.path); mkdir -p \\(out.path); " + names.map(line).joined(separator: "; ")],
      outputFilesDirectory: out)]'''}


def plugin(name, folder):
    return PLUGIN.replace("COMMANDS", COMMANDS[name]).replace("NAME", name).replace("FOLDER", folder)


FILES = {
    "Sources/CBase/base.c": '''#include "base.h"
#include <value.h>
#if __has_include("bonus.h")
#include "bonus.h"
#else
#define BONUS 0
#endif
#ifndef MODE
#define MODE 0
#endif
int base_shadowed(void) { return VALUE; }
int base_bonus(void) { return BONUS; }
int base_mode(void) { return MODE; }
__attribute__((weak)) int base_hook(void) { return 1; }
''',
    "Sources/CBase/include/base.h": '''#ifndef BASE_H
#define BASE_H
#if __has_include("maybe.h")
#include "maybe.h"
#else
#define MAYBE 0
#endif
static inline int base_maybe(void) { return MAYBE; }
static inline int base_number(void) { return 11; }
int base_shadowed(void);
int base_bonus(void);
int base_mode(void);
int base_hook(void);
#endif
''',
    "Sources/CBase/include/more.h": "static inline int base_more(void) { return 21; }\n",
    "Sources/CBase/first/other.h": "#define OTHER 1\n",
    "Sources/CBase/second/value.h": "#define VALUE 31\n",
    "Sources/Core/Value.swift": "public func value() -> Int { 41 }\npublic func idle(_ number: Int) -> Int {\n  if number > 100 {\n"
                                "    return 1\n  }\n  return 2\n}\n",
    "Sources/Core/Pick.swift": "func pick(_ x: Any) -> Int { 1 }\npublic func picked() -> Int { pick(3) }\n",
    "Sources/Core/Inline.swift": "@inlinable public func inlined() -> Int { 51 }\npublic struct Pair {\n  public var a: Int8 = 1\n"
                                 "  public init() {}\n}\n",
    "Sources/Core/Base.swift": "import CBase\npublic func base() -> [Int32] {\n  [base_number(), base_shadowed(), base_bonus(), base_mode(), "
                               "base_hook(), base_maybe()]\n}\n",
    "Sources/Core/More.swift": "import CBase\npublic func more() -> Int32 { base_more() }\n",
    "Sources/Core/Flag.swift": "public func flag() -> Int {\n  #if FLAG\n  return 1\n  #else\n  return 0\n  #endif\n}\n",
    "Sources/Core/Can.swift": "#if canImport(Extra)\nimport Extra\npublic func can() -> Int { extra() }\n#else\n"
                              "public func can() -> Int { 0 }\n#endif\n",
    "Sources/Core/Words.swift": '''import Foundation
public func words() -> String {
  let folder = Bundle.module.bundlePath
  let names = FileManager.default.subpaths(atPath: folder)!.sorted().filter { $0.hasSuffix(".txt") }
  return names.map { "\\($0)=\\((try? String(contentsOfFile: "\\(folder)/\\($0)", encoding: .utf8)) ?? "")" }.joined(separator: ",")
}
''',
    "Sources/Core/Linked.swift": ("../../Shared/One.swift",),
    "Shared/One.swift": "public func linked() -> Int { 61 }\n",
    "Shared/Two.swift": "public func linked() -> Int { 62 }\n",
    "Sources/Core/Neighbour.swift": "import Second\npublic func neighbour() -> [Int] { [second(), secondFlag()] }\n",
    "Sources/Core/Words/a.txt": "a", "Sources/Core/Words/b.txt": "b", "Sources/Core/Data/c.txt": "c",
    "Sources/Extra/Extra.swift": "public func extra() -> Int { 71 }\n",
    "Sources/tool/main.swift": "import Core\nprint(value())\n",
    "Sources/Mac/main.swift": MACRO, "Sources/Mac/Expansion.swift": 'func expansion() -> String { "41 + 1" }\n',
    "Sources/Expand/Expand.swift": "@freestanding(expression) public macro answer() -> Int = #externalMacro(module: \"Mac\", type: \"Answer\")\n"
                                   "public func expanded() -> Int { #answer }\n",
    "Second/Sources/Second/Second.swift": "public func second() -> Int { 81 }\npublic func secondFlag() -> Int {\n  #if FLAG\n  return 1\n"
                                          "  #else\n  return 0\n  #endif\n}\n",
    "Tests/CoreTests/CoreTests.swift": '''import Core
import Testing
@Test func valueIs() { #expect(value() == 41) }
@Test func idleIs() { #expect(idle(1) == 2) }
@Test func pickedIs() { #expect(picked() == 1) }
@Test func inlinedIs() { #expect(inlined() == 51) }
@Test func sizeIs() { #expect(MemoryLayout<Pair>.size == 1) }
@Test func flagIs() { #expect(flag() == 0) }
@Test func linkedIs() { #expect(linked() == 61) }
''',
    "Tests/CoreTests/BaseTests.swift": "import Core\nimport Testing\n@Test func baseIs() { #expect(base() == [11, 31, 0, 0, 1, 0]) }\n"
                                       "@Test func moreIs() { #expect(more() == 21) }\n",
    "Tests/CoreTests/WordsTests.swift": '''import Core
import Testing
@Test func canIs() { #expect(can() == 71) }
@Test func neighbourIs() { #expect(neighbour() == [81, 0]) }
@Test func wordsAre() { #expect(words() == "Data/c.txt=c,a.txt=a,b.txt=b") }
''',
    "Tests/OldTests/OldTests.swift": '''import Expand
import Foundation
import XCTest
final class OldTests: XCTestCase {
  func testExpanded() { XCTAssertEqual(expanded(), 42) }
  func testExpandedHere() { XCTAssertEqual(#answer, 42) }
  func testPrograms() throws {
    let folder = Bundle.main.executableURL!.deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
    let programs = files.filter {
      FileManager.default.isExecutableFile(atPath: $0.path) && (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }
    // Fails, for its message to tell which programs there are.
    XCTAssertEqual(programs.map(\\.lastPathComponent).sorted().joined(separator: " "), "")
    let tool = Process(), pipe = Pipe()
    tool.executableURL = folder.appendingPathComponent("tool")
    tool.standardOutput = pipe
    guard (try? tool.run()) != nil else { return XCTFail("There is no tool.") }
    tool.waitUntilExit()
    XCTAssertEqual(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self), "41\\n")
  }
}
''',
}
MADE = {
    "Plugins/Gen/Gen.swift": plugin("Gen", "conf"), "Plugins/Pre/Pre.swift": plugin("Pre", "more"),
    "conf/a": "1", "conf/b": "2", "more/a": "3",
    # What is made fits better than what is there for all.
    "Sources/Made/Made.swift": "public enum Made {\n" + "".join(
        f"  static func {folder}_{name}<T>(_ x: T) -> Int {{ 0 }}\n" for folder in ("conf", "more") for name in "abc")
    + "  public static func all() -> [Int] {\n    [conf_a(0), conf_b(0), conf_c(0), more_a(0), more_b(0), more_c(0)]\n  }\n}\n",
    "Tests/MadeTests/MadeTests.swift": "import Made\nimport XCTest\nfinal class MadeTests: XCTestCase {\n"
                                       "  func testMade() { XCTAssertEqual(Made.all(), [101, 102, 0, 103, 0, 0]) }\n}\n",
}


class Package:
    """The files of a package, and what its manifest says."""

    def __init__(self, has_plugins):
        self.files = dict(FILES)
        self.name, self.tools, self.platform, self.count = "Grown", "6.0", "13", 0
        self.defines, self.order, self.exclude = {}, ["first", "second"], []
        self.resources = {"Words": "process", "Data": "copy"}
        self.targets = {"CBase": "target", "Core": "target", "Extra": "target", "tool": "executableTarget", "Mac": "macro", "Expand": "target",
                        "CoreTests": "testTarget", "OldTests": "testTarget"}
        self.dependencies = {"Core": ["CBase", "Second", "Extra"], "tool": ["Core"], "Expand": ["Mac"], "CoreTests": ["Core"],
                             "OldTests": ["Expand", "tool"]}
        self.products, self.plugins = {}, []
        if has_plugins:
            self.add_plugins()

    def add_plugins(self):
        self.files.update(MADE)
        self.targets.update({"Gen": "plugin", "Pre": "plugin", "Made": "target", "MadeTests": "testTarget"})
        self.dependencies["MadeTests"] = ["Made"]
        self.plugins = ["Gen", "Pre"]

    def remove_plugins(self):
        for folder in ("Plugins/", "conf/", "more/", "Sources/Made/", "Tests/MadeTests/"):
            self.remove_folder(folder)
        for name in ("Gen", "Pre", "Made", "MadeTests"):
            self.targets.pop(name, None)
        self.plugins = []

    def remove_folder(self, folder):
        self.files = {path: text for path, text in self.files.items() if not path.startswith(folder)}

    def manifest(self):
        targets = []
        for name, kind in self.targets.items():
            words = [f'name: "{name}"']
            needed = [f'.product(name: "Second", package: "Second")' if other == "Second" else f'"{other}"'
                      for other in self.dependencies.get(name, []) if other == "Second" or other in self.targets]
            if needed:
                words.append(f"dependencies: [{', '.join(needed)}]")
            if name == "Core":
                if self.exclude:
                    words.append(f"exclude: {listed(self.exclude)}")
                words.append("resources: [" + ", ".join(f'.{how}("{path}")' for path, how in self.resources.items()) + "]")
            if name == "CBase":
                mode = [f'.define("MODE", to: "{self.defines["MODE"]}")'] if "MODE" in self.defines else []
                words.append("cSettings: [" + ", ".join([f'.headerSearchPath("{folder}")' for folder in self.order] + mode) + "]")
            if name == "Core" and "FLAG" in self.defines:
                words.append('swiftSettings: [.define("FLAG")]')
            if name == "Made" and self.plugins:
                words.append(f"plugins: {listed(self.plugins)}")
            if kind == "plugin":
                words.append("capability: .buildTool()")
            targets.append(f"    .{kind}({', '.join(words)}),\n")
        products = "".join(f'    .library(name: "{name}", {"type: .dynamic, " if kind else ""}targets: ["{target}"]),\n'
                           for name, (kind, target) in self.products.items() if target in self.targets)
        return (f"// swift-tools-version: {self.tools}\nimport CompilerPluginSupport\nimport PackageDescription\nlet package = Package(\n"
                f'  name: "{self.name}", platforms: [.macOS(.v{self.platform})],\n  products: [\n{products}  ],\n'
                f'  dependencies: [.package(path: "Second")],\n  targets: [\n{"".join(targets)}  ])\n')

    def second(self):
        setting = ', swiftSettings: [.define("FLAG")]' if "SECOND" in self.defines else ""
        return ('// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "Second", products: '
                f'[.library(name: "Second", targets: ["Second"])], targets: [.target(name: "Second"{setting})])\n')

    def write(self, folder):
        files = {**self.files, "Package.swift": self.manifest(), "Second/Package.swift": self.second(), ".gitignore": ".build\n"}
        for path, text in files.items():
            os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
            if isinstance(text, tuple):
                os.symlink(text[0], f"{folder}/{path}")
            else:
                with open(f"{folder}/{path}", "w") as file:
                    file.write(text)

    # Edits: each returns what it did; None if there is nothing to do it to.

    def edit(self, draw):
        """Does one of all edits, each with the same chance, and says which."""
        edits = sorted(name for name in dir(self) if name.startswith("do_"))
        while True:
            tried = copy.deepcopy(self)
            try:
                words = getattr(tried, draw.choice(edits))(draw)
            except (IndexError, KeyError):
                continue  # What it edits is gone.
            if words:
                self.__dict__ = tried.__dict__
                return words

    def sources(self, *folders):
        return sorted(path for path in self.files if path.startswith(folders) and path.endswith(".swift"))

    def move(self, old, new):
        if old not in self.files or new in self.files:
            return None
        self.files[new] = self.files.pop(old)
        return f"Move {old} to {new}"

    def toggle(self, path, text):
        if self.files.pop(path, None) is not None:
            return f"Remove {path}"
        self.files[path] = text
        return f"Add {path}"

    def do_change_number(self, draw):
        """A number of two digits becomes another one, so the file keeps its size."""
        paths = [path for path, text in sorted(self.files.items())
                 if isinstance(text, str) and path.startswith(("Sources", "Second", "Shared")) and re.search(r"\b[1-9]1\b", text)
                 and path != "Sources/Mac/main.swift"]
        path = draw.choice(paths)
        self.files[path] = re.sub(r"\b([1-9])1\b", lambda match: str(int(match[1]) * 10 + draw.choice([2, 3])), self.files[path], count=1)
        return f"Change a number in {path}"

    def do_change_test(self, draw):
        path = draw.choice(self.sources("Tests"))
        self.files[path] = re.sub(r"== (\d+)\b", lambda match: f"== {int(match[1]) + 1}", self.files[path], count=1) + "// Changed\n"
        return f"Change {path}"

    def do_overload(self, draw):
        return self.toggle("Sources/Core/Overload.swift", "func pick(_ x: Int) -> Int { 2 }\n")

    def do_add_source(self, draw):
        self.count += 1
        target = draw.choice(["Core", "Extra", "Expand"])
        if target not in self.targets:
            return None
        path = f"Sources/{target}/Added{self.count}.swift"
        self.files[path] = f"public func added{self.count}() -> Int {{\n  {self.count}\n}}\n"
        return f"Add {path}"

    def do_remove_source(self, draw):
        path = draw.choice(self.sources("Sources/Core", "Sources/Extra", "Tests/CoreTests"))
        del self.files[path]
        return f"Remove {path}"

    def do_restore(self, draw):
        """A file of the beginning comes back, so that not ever more is missing."""
        path = draw.choice([path for path in sorted(FILES) if path not in self.files and path.split("/")[1] in (*self.targets, "Sources")])
        self.files[path] = FILES[path]
        return f"Bring {path} back"

    def do_move_source(self, draw):
        path = draw.choice(self.sources("Sources/Core/"))
        name = os.path.basename(path)
        folders = ["Sources/Core/", "Sources/Core/Inner/", "Sources/Core/Other/", "Sources/Extra/"]
        return self.move(path, draw.choice(folders) + name)

    def do_rename_source(self, draw):
        path = draw.choice(self.sources("Sources/Core/", "Tests/CoreTests/", "Sources/Expand"))
        return self.move(path, path.replace(".swift", "Anew.swift"))

    def do_rename_case(self, draw):
        path = draw.choice(self.sources("Sources/Core/", "Tests/"))
        folder, name = os.path.split(path)
        return self.move(path, f"{folder}/{name[0].swapcase()}{name[1:]}")

    def do_exclude(self, draw):
        names = ["Overload.swift", "Pick.swift", "Added1.swift"]
        if self.exclude:
            self.exclude = []
            return "Exclude nothing"
        self.exclude = [draw.choice([name for name in names if f"Sources/Core/{name}" in self.files] or ["Words.swift"])]
        return f"Exclude {self.exclude[0]}"

    def do_link(self, draw):
        path = "Sources/Core/Linked.swift"
        kinds = [("../../Shared/One.swift",), ("../../Shared/Two.swift",), "public func linked() -> Int { 63 }\n"]
        self.files[path] = draw.choice([kind for kind in kinds if kind != self.files.get(path)])
        return f"Make {path} {'a link to ' + self.files[path][0] if isinstance(self.files[path], tuple) else 'a file'}"

    def do_grow_struct(self, draw):
        text = self.files.get("Sources/Core/Inline.swift")
        if not text:
            return None
        self.files["Sources/Core/Inline.swift"] = text.replace("  public init", "  var more = 0\n  public init", 1)
        return "Grow a struct"

    def do_header_asked_for(self, draw):
        return self.toggle(draw.choice(["Sources/CBase/bonus.h", "Sources/CBase/include/bonus.h"]), "#define BONUS 5\n")

    def do_header_asked_for_by_header(self, draw):
        return self.toggle("Sources/CBase/include/maybe.h", "#define MAYBE 6\n")

    def do_header_that_shadows(self, draw):
        return self.toggle(draw.choice(["Sources/CBase/first/value.h", "Sources/CBase/include/value.h", "Sources/CBase/include/Core.h"]),
                           "#define VALUE 32\n")

    def do_header_order(self, draw):
        self.order.reverse()
        return "Search headers in another order"

    def do_umbrella_header(self, draw):
        return self.toggle("Sources/CBase/include/CBase.h", '#include "base.h"\n')

    def do_module_map(self, draw):
        extra = draw.choice(["", '  header "more.h"\n'])
        return self.toggle("Sources/CBase/include/module.modulemap", f'module CBase {{\n  header "base.h"\n{extra}  export *\n}}\n')

    def do_rename_header(self, draw):
        return (self.move("Sources/CBase/include/more.h", "Sources/CBase/include/most.h")
                or self.move("Sources/CBase/include/most.h", "Sources/CBase/include/more.h"))

    def do_remove_header(self, draw):
        return self.toggle("Sources/CBase/include/more.h", "static inline int base_more(void) { return 21; }\n")

    def do_hook(self, draw):
        return self.toggle("Sources/CBase/hook.c", "int base_hook(void) { return 2; }\n")

    def do_resource(self, draw):
        path = draw.choice(["Sources/Core/Words/a.txt", "Sources/Core/Words/d.txt", "Sources/Core/Data/c.txt", "Sources/Core/Data/in/e.txt"])
        return self.toggle(path, os.path.basename(path)[0])

    def do_change_resource(self, draw):
        paths = [path for path in sorted(self.files) if path.endswith(".txt")]
        path = draw.choice(paths)
        self.files[path] = draw.choice("vwxyz")
        return f"Change {path}"

    def do_rename_resource(self, draw):
        path = draw.choice([path for path in sorted(self.files) if path.endswith(".txt")])
        return self.move(path, path.replace(".txt", "n.txt"))

    def do_resource_rule(self, draw):
        name = draw.choice(sorted(self.resources))
        self.resources[name] = "copy" if self.resources[name] == "process" else "process"
        return f"{self.resources[name]} {name}"

    def do_target(self, draw):
        if "Extra" in self.targets:
            del self.targets["Extra"]
            self.remove_folder("Sources/Extra/")
            return "Remove the target Extra"
        self.targets["Extra"] = "target"
        self.files["Sources/Extra/Extra.swift"] = FILES["Sources/Extra/Extra.swift"]
        return "Add the target Extra"

    def do_new_target(self, draw):
        if self.targets.pop("Fresh", None):
            self.targets.pop("FreshTests")
            self.remove_folder(("Sources/Fresh/", "Tests/FreshTests/"))
            return "Remove the target Fresh with its tests"
        self.targets.update({"Fresh": "target", "FreshTests": "testTarget"})
        self.dependencies["FreshTests"] = ["Fresh"]
        self.files["Sources/Fresh/Fresh.swift"] = "public func fresh() -> Int { 91 }\n"
        self.files["Tests/FreshTests/FreshTests.swift"] = "import Fresh\nimport Testing\n@Test func freshIs() { #expect(fresh() == 91) }\n"
        return "Add the target Fresh with tests"

    def do_rename_program(self, draw):
        old, new = ("tool", "utensil") if "tool" in self.targets else ("utensil", "tool")
        if old not in self.targets:
            return None
        del self.targets[old]
        self.targets[new] = "executableTarget"
        self.dependencies[new] = ["Core"]
        return self.move(f"Sources/{old}/main.swift", f"Sources/{new}/main.swift")

    def do_remove_program(self, draw):
        if "tool" not in self.targets:
            return None
        del self.targets["tool"]
        self.remove_folder("Sources/tool/")
        return "Remove the program"

    def do_test_target(self, draw):
        name = draw.choice(["CoreTests", "OldTests"])
        if name in self.targets:
            if draw.random() < 0.7:
                return None  # Nothing tells of the others without them.
            del self.targets[name]
            return f"Forget the target {name}"
        self.targets[name] = "testTarget"
        return f"Have the target {name}"

    def do_test(self, draw):
        return self.toggle(draw.choice(["Tests/CoreTests/NewTests.swift", "Tests/OldTests/NewTests.swift"]),
                           "import XCTest\nfinal class NewTests: XCTestCase {\n  func testNew() { XCTAssertEqual(1, 1) }\n}\n")

    def do_move_test(self, draw):
        return (self.move("Tests/CoreTests/BaseTests.swift", "Tests/OldTests/BaseTests.swift")
                or self.move("Tests/OldTests/BaseTests.swift", "Tests/CoreTests/BaseTests.swift"))

    def do_product(self, draw):
        name = draw.choice(["Core", "Expand", "Whole"])
        if self.products.pop(name, None):
            return f"Remove the product {name}"
        self.products[name] = (draw.random() < 0.5, "Core" if name == "Whole" else name)
        return f"Add the {'dynamic ' if self.products[name][0] else ''}product {name}"

    def do_dependency(self, draw):
        target, other = draw.choice([("Core", "Second"), ("Core", "Extra"), ("Core", "CBase"), ("tool", "Core"), ("OldTests", "Core"),
                                     ("OldTests", "tool"), ("Expand", "Mac"), ("CoreTests", "Extra")])
        known = self.dependencies.setdefault(target, [])
        known.remove(other) if other in known else known.append(other)
        return f"{'Add' if other in known else 'Forget'} the dependency of {target} on {other}"

    def do_import(self, draw):
        target, other = draw.choice([("Core", "Extra"), ("Expand", "Extra"), ("Extra", "Second"), ("Core", "Fresh"), ("Extra", "CBase")])
        if other not in (*self.targets, "Second") or target not in self.targets:
            return None
        return self.toggle(f"Sources/{target}/Import{other}.swift", f"import {other}\nlet imports{other} = 1\n")

    def do_macro(self, draw):
        path, text = "Sources/Mac/Expansion.swift", f'func expansion() -> String {{ "{draw.choice([40, 42, 43])} + 1" }}\n'
        if self.files[path] == text:
            return None
        self.files[path] = text
        return "Change what the macro expands to"

    def do_macro_type(self, draw):
        text = self.files.get("Sources/Expand/Expand.swift")
        if not text:
            return None
        old, new = ("-> Int", "-> Int32") if "-> Int " in text else ("-> Int32", "-> Int")
        self.files["Sources/Expand/Expand.swift"] = text.replace(old + " ", new + " ")
        return f"Declare the macro {new}"

    def do_plugins(self, draw):
        if draw.random() < 0.5:
            return None
        if self.plugins or "Made" in self.targets:
            self.remove_plugins()
            return "Remove the plugins"
        self.add_plugins()
        return "Add plugins"

    def do_plugin(self, draw):
        path = draw.choice(["Plugins/Gen/Gen.swift", "Plugins/Pre/Pre.swift"])
        if path not in self.files:
            return None
        self.files[path] = re.sub(r"\+ \d+", f"+ {draw.choice([200, 300, 400])}", self.files[path])
        return f"Change {path}"

    def do_plugin_use(self, draw):
        name = draw.choice(["Gen", "Pre"])
        if "Made" not in self.targets:
            return None
        self.plugins.remove(name) if name in self.plugins else self.plugins.append(name)
        return f"{'Use' if name in self.plugins else 'Use no longer'} the plugin {name}"

    def do_plugin_input(self, draw):
        if "Made" not in self.targets:
            return None
        return self.toggle(draw.choice(["conf/", "more/"]) + draw.choice("bc"), str(draw.randrange(9)))

    def do_change_plugin_input(self, draw):
        if "Made" not in self.targets:
            return None
        path = draw.choice([path for path in sorted(self.files) if path.startswith(("conf/", "more/"))])
        self.files[path] = draw.choice("3456")
        return f"Change {path}"

    def do_define(self, draw):
        name = draw.choice(["FLAG", "SECOND", "MODE"])
        if self.defines.pop(name, None) is not None:
            return f"Define {name} no longer"
        self.defines[name] = draw.randrange(1, 9)
        return f"Define {name}"

    def do_tools(self, draw):
        self.tools = draw.choice([version for version in ("5.9", "6.0", "6.1") if version != self.tools])
        return f"Tools {self.tools}"

    def do_platform(self, draw):
        self.platform = "14" if self.platform == "13" else "13"
        return f"Platform {self.platform}"

    def do_name(self, draw):
        self.name = "Grown" if self.name == "Risen" else "Risen"
        return f"Call the package {self.name}"

    def do_nothing(self, draw):
        return self.toggle("README.md", "Grown\n")


def listed(names):
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
