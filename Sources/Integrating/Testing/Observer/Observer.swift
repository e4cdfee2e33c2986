import Glibc
import Processes

/// What follows test processes from inside, and reads what was built for them; compiled for one toolchain.
struct Observer: Sendable, Hashable {
  /// The exit status of a process that closed its way to Martlet; the same number stands in `ProcessObserver.c`.
  static let lostStatus: Int32 = 97

  /// The libraries' folder, which the processes must be able to read.
  var folder: String

  /// Why there is no observer of XCTest, as the middle of a sentence; its console is read then, and only the process's
  /// end is followed.
  var withoutXCTest: String?

  /// The library that the linker loads before the program.
  var process: String { "\(folder)/process.so" }
  var xctest: String { "\(folder)/xctest.so" }
  /// The program that reads the index of a build.
  var declaredTests: String { "\(folder)/declared-tests" }

  /// The variables that lead a process to its channel; it removes them before a test can see them, but for those by which
  /// the programs that it starts hand over their counters. These start in folders of their own, where the way to the library
  /// has to be a whole one.
  ///
  /// - Parameters:
  ///   - program: the one program that is to be followed; those on the way to it only hand the variables on.
  ///   - libraries: the folder of the toolchain's libraries.
  ///   - stream: where Swift Testing would write its events; nil for a process of XCTest.
  ///   - profiles: the folder of the counters; nil where they do not count.
  ///   - mapsTests: whether it tells what each test counts.
  ///   - mutants: the file with the mutants that the process is to try; nil where it is to run tests itself.
  ///   - isFixed: whether the memory of the process has to be at the same places each time.
  ///   - folder: where the process starts.
  ///   - environment: the variables that the process is to be left with.
  func environment(
    for channel: ObserverChannel, program: String, libraries: String, stream: String?, profiles: String?,
    mapsTests: Bool = false, mutants: String? = nil, isFixed: Bool, startingIn folder: String,
    in environment: [String: String]
  ) -> [String: String] {
    var added = [
      "LD_AUDIT": Self.canBeAudited(process) ? process : loaderName(of: process, in: folder),
      "MARTLET_CHANNEL": channel.folder.path,
      "MARTLET_PROGRAM": program, "MARTLET_LIBRARIES": libraries,
      "MARTLET_PRELOAD": environment["LD_PRELOAD"] ?? "",
    ]
    added["MARTLET_PROFILES"] = profiles
    if let started = channel.started, Self.canBeAudited(process) {
      added["MARTLET_COUNTERS"] = started.folder.path
      added["MARTLET_PROGRAMS"] = started.programs
    }
    if mapsTests { added["MARTLET_MAP"] = "1" }
    if isFixed { added["MARTLET_FIXED"] = "1" }
    added["MARTLET_MUTANTS"] = mutants
    added["MARTLET_STREAM"] = stream
    // Of mutants the tests of both libraries run.
    if stream == nil || mutants != nil, withoutXCTest == nil {
      let others = environment["LD_PRELOAD"].map { ":\($0)" } ?? ""
      added["LD_PRELOAD"] = loaderName(of: xctest, in: folder) + others
      added["MARTLET_OBSERVER"] = xctest
    }
    return environment.merging(added) { $1 }
  }

  /// Whether `LD_AUDIT` can name a library from everywhere; it takes names apart at colons only.
  static func canBeAudited(_ path: String) -> Bool {
    !path.contains { ":$".contains($0) }
  }

  /// A library as `LD_PRELOAD` and `LD_AUDIT` can name it: the loader takes names apart at blanks and colons and replaces
  /// what stands behind a dollar sign, so a home whose own name has one of these is passed by on the way from the process's
  /// folder.
  ///
  /// https://man7.org/linux/man-pages/man8/ld.so.8.html
  func loaderName(of library: String, in folder: String) -> String {
    guard !Self.canBeLoaded(library) else { return library }
    let from = PackagePaths.resolved(folder).split(separator: "/")
    let to = PackagePaths.resolved(library).split(separator: "/")
    let shared = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - shared) + to[shared...]).joined(separator: "/")
  }

  static func canBeLoaded(_ path: String) -> Bool {
    !path.contains { ":;$".contains($0) || $0.isWhitespace }
  }
}

/// What was decided about following test processes from inside.
enum Observation: Sendable, Hashable {
  case preloaded(Observer)
  /// Not at all; why, as the middle of a sentence.
  case none(why: String)

  var observer: Observer? {
    if case .preloaded(let observer) = self { observer } else { nil }
  }
}
