import Glibc
import Processes

/// What is preloaded into test processes, compiled for one toolchain.
struct Observer: Sendable, Hashable {
  /// The exit status of a process that closed its way to Martlet; the same number stands in `Preload.c`.
  static let lostStatus: Int32 = 97

  /// The libraries' folder, which the processes must be able to read.
  var folder: String

  var preload: String { "\(folder)/preload.so" }
  var xctest: String { "\(folder)/xctest.so" }

  /// The variables that lead a process to its channel; it removes them before a test can see them.
  ///
  /// - Parameters:
  ///   - program: the one program that is to be followed; those on the way to it only hand the variables on.
  ///   - stream: where Swift Testing would write its events; nil for a process of XCTest.
  ///   - environment: the variables that the process is to be left with.
  func environment(for channel: ObserverChannel, program: String, stream: String?, in environment: [String: String])
    -> [String: String]
  {
    let others = environment["LD_PRELOAD"] ?? ""
    var added = [
      "LD_PRELOAD": others.isEmpty ? preload : "\(preload):\(others)", "MARTLET_PRELOAD": others,
      "MARTLET_CHANNEL": channel.folder.path, "MARTLET_PROGRAM": PackagePaths.resolved(program),
    ]
    if let stream { added["MARTLET_STREAM"] = stream } else { added["MARTLET_OBSERVER"] = xctest }
    return environment.merging(added) { $1 }
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
