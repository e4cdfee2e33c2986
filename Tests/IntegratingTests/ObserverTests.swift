import FoundationEssentials
import Glibc
import Model
import Parsing
import Processes
import Testing

@testable import Integrating

@Suite("The observer")
struct ObserverTests {
  /// A toolchain whose compilers do what a script says.
  private func toolchain(_ script: String, in scratch: Scratch) throws -> Toolchain {
    let bin = try scratch.folder.folder("bin").create()
    for name in ["clang", "swiftc"] {
      try bin.write("#!/bin/sh\n\(script)\n", to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bin.file(name))
    }
    return Toolchain(
      programs: bin.path, libraries: "/no", name: "Swift version 6.3 (fake)", version: .init(major: 6, minor: 3),
      stamp: "one")
  }

  private func build(_ toolchain: Toolchain, in folder: Folder) throws -> ObserverBuild {
    ObserverBuild(
      workshop: ToolchainWorkshop(
        toolchain: toolchain, folder: folder, environment: ["PATH": "/usr/bin:/bin"], bubblewrap: nil,
        cancellation: try Cancellation()))
  }

  /// Notes each call, and makes the file behind `-o`.
  private static let compiler = """
    echo "$0" >>"$(dirname "$0")/../asked"
    while [ $# -gt 1 ]; do if [ "$1" = -o ]; then echo made >"$2"; fi; shift; done
    """

  @Test("It is compiled once for a toolchain, and the sources are kept beside it")
  func once() throws {
    let scratch = try Scratch()
    let build = try build(toolchain(Self.compiler, in: scratch), in: scratch.folder.folder("toolchains"))
    let first = build.make()
    let observer = try #require(first.observer)
    #expect(build.make() == first)
    #expect(scratch.text("asked")?.split(separator: "\n").count == 3)
    let names = Folder(observer.folder).names()
    #expect(
      names == [
        "Counters.h", "DeclaredTests.c", "Images.h", "Mutants.h", "ProcessObserver.c", "Records.h", "Started.h",
        "System.h", "Values.h", "XCTestObserver.swift", "declared-tests", "process.so", "xctest.so",
      ])
  }

  @Test("Another compiler of the same version has an observer of its own")
  func another() throws {
    let scratch = try Scratch()
    let toolchain = try toolchain(Self.compiler, in: scratch)
    var newer = toolchain
    newer.stamp = "two"
    let folder = scratch.folder.folder("toolchains")
    let first = try build(toolchain, in: folder).make()
    #expect(try build(newer, in: folder).make() != first)
  }

  @Test("A compiler that refuses is a reason, and leaves nothing that could be loaded")
  func refused() throws {
    let scratch = try Scratch()
    let toolchain = try toolchain("echo 'x.swift:1:1: error: no such module' >&2; exit 1", in: scratch)
    let build = try build(toolchain, in: scratch.folder.folder("toolchains"))
    #expect(
      build.make()
        == .none(why: "clang could not compile the observer: x.swift:1:1: error: no such module"))
    #expect(build.made == nil)
  }

  @Test("Where only the part for XCTest cannot be compiled, the rest serves, says why, and the part is tried again")
  func half() throws {
    let scratch = try Scratch()
    let script = "\(Self.compiler)\ncase $0 in */swiftc) echo 'error: no such module XCTest' >&2; exit 1;; esac"
    let build = try build(toolchain(script, in: scratch), in: scratch.folder.folder("toolchains"))
    let first = build.make()
    #expect(first.observer?.withoutXCTest == "swiftc could not compile the observer: error: no such module XCTest")
    #expect(build.made == nil)
    #expect(build.make() == first)
    #expect(scratch.text("asked")?.split(separator: "\n").count == 6)
    let names = try Folder(#require(first.observer?.folder)).names()
    #expect(names.contains("process.so"))
  }

  @Test(
    "The loader is given a name that it does not take apart",
    arguments: [
      ("/h/toolchains/o", "/h/workspaces/b/main", "/h/toolchains/o/xctest.so"),
      ("/my h/toolchains/o", "/my h/workspaces/b/main", "../../../toolchains/o/xctest.so"),
      ("/a:b/toolchains/o", "/a:b/workspaces/b", "../../toolchains/o/xctest.so"),
      ("/a$LIB/o", "/a$LIB", "o/xctest.so"),
    ])
  func loader(folder: String, from: String, name: String) {
    let observer = Observer(folder: folder)
    #expect(observer.loaderName(of: observer.xctest, in: from) == name)
  }

  @Test("What other libraries are preloaded stays so, and stays behind when the observer has gone")
  func environment() throws {
    let scratch = try Scratch()
    let channel = try ObserverChannel(in: scratch.folder.folder("channel"), key: [])
    let observer = Observer(folder: "/observer")
    let environment = observer.environment(
      for: channel, program: "/no/such", libraries: "/lib", stream: nil, profiles: "/profiles", isFixed: true,
      startingIn: "/",
      in: ["LD_PRELOAD": "/other.so", "A": "b"])
    #expect(
      environment == [
        "A": "b", "LD_AUDIT": "/observer/process.so", "LD_PRELOAD": "/observer/xctest.so:/other.so",
        "MARTLET_PRELOAD": "/other.so", "MARTLET_FIXED": "1", "MARTLET_CHANNEL": scratch.file("channel"),
        "MARTLET_PROGRAM": "/no/such",
        "MARTLET_LIBRARIES": "/lib", "MARTLET_PROFILES": "/profiles", "MARTLET_OBSERVER": "/observer/xctest.so",
      ])
  }

  @Test("The library that passes on each line comes before those that the bot preloads, and takes the place of none")
  func lineBuffering() throws {
    let environment = LineBuffering.added(to: ["LD_PRELOAD": "/own.so", "A": "b"], library: "/stdbuf.so")
    #expect(environment == ["A": "b", "LD_PRELOAD": "/stdbuf.so:/own.so", "_STDBUF_O": "L"])
    #expect(LineBuffering.added(to: [:], library: "/stdbuf.so") == ["LD_PRELOAD": "/stdbuf.so", "_STDBUF_O": "L"])
    #expect(LineBuffering.added(to: ["LD_PRELOAD": "/own.so"], library: nil) == ["LD_PRELOAD": "/own.so"])
    let channel = try ObserverChannel(in: Scratch().folder.folder("channel"), key: [])
    let observed = Observer(folder: "/observer").environment(
      for: channel, program: "/no/such", libraries: "/lib", stream: nil, profiles: nil, isFixed: false,
      startingIn: "/", in: environment)
    #expect(observed["LD_PRELOAD"] == "/observer/xctest.so:/stdbuf.so:/own.so")
    #expect(observed["MARTLET_PRELOAD"] == "/stdbuf.so:/own.so")
  }
}

extension ObserverTests {
  @Test("Started programs inherit when they started, where tests are mapped", arguments: [false, true])
  func moment(mapsTests: Bool) throws {
    let scratch = try Scratch()
    let observer = Observer(folder: "/observer")
    let started = try StartedPrograms(
      in: scratch.folder.folder("counters"), programs: "/programs", library: observer.process, counting: nil
    ) { (_, _) throws(IntegratingError) in }
    func moment(_ started: StartedPrograms?) throws -> String? {
      let channel = try ObserverChannel(in: scratch.folder.folder("channel"), key: [], started: started)
      let environment = observer.environment(
        for: channel, program: "/no/such", libraries: "/lib", stream: nil, profiles: "/profiles",
        mapsTests: mapsTests, isFixed: false, startingIn: "/", in: [:])
      return environment["MARTLET_MOMENT"]
    }
    #expect(try moment(started) == (mapsTests ? "00000000000000000000" : nil))
    #expect(try moment(nil) == nil)
  }
}

extension ObserverTests {
  /// Prints the classes that it is given, in the place of XCTest's observer.
  private static let follower = """
    #include <stdio.h>
    void martlet_follow_xctest(void *send, const char *classes) {
      fputs(classes == NULL ? "none" : classes, stdout);
      fflush(stdout);
    }

    """

  @Test("XCTest's observer is given the order of the classes, however long it is")
  func longOrder() throws {
    let scratch = try Scratch()
    let environment = ProcessInfo.processInfo.environment.filter { $0.key == "PATH" }
    let clang = try Toolchain.locate(
      searchPath: environment["PATH"] ?? "", memory: scratch.folder.folder("memory"), cancellation: Cancellation()
    ).program("clang")
    try scratch.folder.write(Self.follower, to: "follower.c")
    try scratch.folder.write("int main(void) { return 0; }\n", to: "program.c")
    try compile("program.c", with: clang, environment, in: scratch)
    let follows = "exec '\(clang)' -shared -fPIC '\(scratch.file("follower.c"))' -o xctest.so"
    let toolchain = try toolchain("case $0 in */swiftc) \(follows);; esac\nexec '\(clang)' \"$@\"", in: scratch)
    let observer = try #require(try build(toolchain, in: scratch.folder.folder("toolchains")).make().observer)
    let classes = (0..<2400).map { "Module.SomeRatherLongNameOfATestCase\($0)" }
    let channel = try ObserverChannel(in: scratch.folder.folder("channel"))
    let command = Command(
      scratch.file("program"),
      environment: observer.environment(
        for: channel, program: scratch.file("program"), libraries: "/no", stream: nil, profiles: nil, first: classes,
        isFixed: false, startingIn: scratch.path, in: environment),
      workingDirectory: scratch.path)
    let supervision = Supervision(channels: { channel.descriptors }, sawNews: { _ in channel.readOn() })
    var told: [UInt8] = []
    _ = try command.run(limits: Limits(), cancellation: Cancellation(), supervision: supervision) { told += $0.bytes }
    #expect(String(decoding: told, as: UTF8.self) == classes.joined(separator: "\n"))
  }

  private func compile(_ source: String, with clang: String, _ environment: [String: String], in scratch: Scratch)
    throws
  {
    let run = try Command(
      clang, [source, "-o", "program"], environment: environment, workingDirectory: scratch.path
    ).collect(limits: Limits(), cancellation: Cancellation(), limit: 1 << 20)
    #expect(run.result.succeeded, "\(String(decoding: run.standardError, as: UTF8.self))")
  }
}

@Suite("The observer's channel")
struct ObserverChannelTests {
  private func connect(to folder: Folder) -> Int32 {
    let place = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(place) }
    let link = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "/proc/self/fd/\(place)/s".utf8) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(link, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if code == 0 { return link }
    close(link)
    return -1
  }

  @Test("One process is let in and given the key; after that there is nothing to connect to")
  func once() throws {
    let scratch = try Scratch()
    let folder = scratch.folder.folder(String(repeating: "a-long-name", count: 20))
    let channel = try ObserverChannel(in: folder, key: Array(1...16))
    let link = connect(to: folder)
    #expect(link >= 0)
    channel.readOn()
    var key = [UInt8](repeating: 0, count: 32)
    #expect(recv(link, &key, key.count, 0) == 16)
    #expect(key.prefix(16).elementsEqual(1...16))
    #expect(folder.names() == [])
    #expect(connect(to: folder) == -1)
    close(link)
  }

  @Test("What is no record of the observer's is told, and nothing else comes of it")
  func unasked() throws {
    let scratch = try Scratch()
    let folder = scratch.folder.folder("channel")
    let channel = try ObserverChannel(in: folder, key: Array(1...16))
    var records = 0
    channel.onRecord = { _ in records += 1 }
    let link = connect(to: folder)
    channel.readOn()
    #expect(send(link, "forged", 6, 0) == 6)
    close(link)
    channel.close()
    #expect(records == 0)
    #expect(!channel.readiness.isReady)
    #expect(channel.descriptors == [])
    #expect(
      channel.contradictions == [
        "The test process wrote 1 message that is not the observer's to the observer's channel."
      ])
  }

  @Test("A channel that nobody used leaves nothing behind")
  func unused() throws {
    let scratch = try Scratch()
    let folder = scratch.folder.folder("channel")
    let channel = try ObserverChannel(in: folder, key: [])
    channel.close()
    #expect(folder.names() == [])
  }

  @Test("Nothing is removed from where a link leads that a process put in the place of its folder")
  func links() throws {
    let scratch = try Scratch()
    let outside = try scratch.folder.folder("outside").create()
    try outside.create("s", Array("kept".utf8))
    let folder = scratch.folder.folder("channel")
    let channel = try ObserverChannel(in: folder, key: [])
    #expect(rename(folder.path, scratch.file("moved")) == 0)
    #expect(symlink(outside.path, folder.path) == 0)
    channel.close()
    #expect(outside.names() == ["s"])
    #expect(scratch.folder.folder("moved").names() == [])
  }
}
