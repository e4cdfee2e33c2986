import Git
import Glibc
import Processes

/// An observer that follows test processes from inside, and reads what was built for them; compiled for one toolchain.
struct Observer: Sendable, Hashable {
  /// The exit status of a process that closed its connection to Martlet; the same number is in `ProcessObserver.c`.
  static let lostStatus: Int32 = 97

  /// The folder of the libraries, which the processes must be able to read.
  var folder: String

  /// Why there is no observer of XCTest, as the middle of a sentence; then, XCTest's console is read, and only the end
  /// of the process is observed.
  var withoutXCTest: String?

  /// The library that the linker loads before the program.
  var process: String { "\(folder)/process.so" }
  var xctest: String { "\(folder)/xctest.so" }
  /// The program that reads the index of a build.
  var declaredTests: String { "\(folder)/declared-tests" }

  /// Returns the variables that lead a process to its channel. The process removes them before a test can see them,
  /// except for those through which the programs that it starts hand over their counters. These start in folders of
  /// their own, where the path to the library has to be absolute.
  ///
  /// - Parameters:
  ///   - program: the only program to observe; others on the way to it just pass the variables on.
  ///   - libraries: the folder of the toolchain's libraries.
  ///   - stream: where Swift Testing would write its events; nil for a process of XCTest.
  ///   - profiles: the folder of the counters; nil if they do not count.
  ///   - mapsTests: whether the process reports what each test counts.
  ///   - mutants: the file with the mutants that the process is to try; nil if it is to run tests itself.
  ///   - first: the classes of XCTest that run before the others, such as `ShopTests.CartTests`.
  ///   - isFixed: whether the memory of the process has to be at the same addresses each time.
  ///   - folder: the folder in which the process starts.
  ///   - environment: the variables that remain for the process.
  func environment(
    for channel: ObserverChannel, program: String, libraries: String, stream: String?, profiles: String?,
    mapsTests: Bool = false, mutants: String? = nil, first: [String] = [], isFixed: Bool,
    startingIn folder: String, in environment: [String: String]
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
    // The process keeps the digits up to date for its children.
    if mapsTests, added["MARTLET_COUNTERS"] != nil { added["MARTLET_MOMENT"] = String(repeating: "0", count: 20) }
    if isFixed { added["MARTLET_FIXED"] = "1" }
    added["MARTLET_MUTANTS"] = mutants
    added["MARTLET_STREAM"] = stream
    // With mutants, the tests of both libraries run.
    if stream == nil || mutants != nil, withoutXCTest == nil {
      let others = environment["LD_PRELOAD"].map { ":\($0)" } ?? ""
      added["LD_PRELOAD"] = loaderName(of: xctest, in: folder) + others
      added["MARTLET_OBSERVER"] = xctest
      if !first.isEmpty { added["MARTLET_FIRST"] = first.joined(separator: "\n") }
    }
    return environment.merging(added) { $1 }
  }

  /// Whether `LD_AUDIT` can name a library from everywhere; it splits names only at colons.
  static func canBeAudited(_ path: String) -> Bool {
    !path.contains { ":$".contains($0) }
  }

  /// Returns a library's path in a form for `LD_PRELOAD` and `LD_AUDIT`: the loader splits names at blanks and colons
  /// and replaces what follows a dollar sign, so a home with one of these in its path is avoided by a path relative to
  /// the process's folder.
  ///
  /// https://man7.org/linux/man-pages/man8/ld.so.8.html
  func loaderName(of library: String, in folder: String) -> String {
    guard !Self.canBeLoaded(library) else { return library }
    let from = folder.withoutLinks.split(separator: "/")
    let to = library.withoutLinks.split(separator: "/")
    let shared = zip(from, to).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - shared) + to[shared...]).joined(separator: "/")
  }

  static func canBeLoaded(_ path: String) -> Bool {
    !path.contains { ":;$".contains($0) || $0.isWhitespace }
  }
}

/// The decision about observing test processes from inside.
enum Observation: Sendable, Hashable {
  case preloaded(Observer)
  /// No observation; the reason is the middle of a sentence.
  case none(why: String)

  var observer: Observer? {
    if case .preloaded(let observer) = self { observer } else { nil }
  }
}

extension IntegrationRun {
  /// Starts to make the observer, or finds it made, while the package is built.
  func askForObserver() throws(IntegrationStop) -> Worker<Observation> {
    let build = ObserverBuild(workshop: context.workshop)
    return try stopping { try Worker { build.make() } }
  }
}
