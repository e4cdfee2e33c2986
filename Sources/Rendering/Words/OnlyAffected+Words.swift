package import Model

extension OnlyAffected {
  /// How many tests ran and which, to be followed by a comma or a colon.
  package var headline: String { "\(share), those that reach the change" }

  /// How many of all tests ran.
  package var share: String { "\(CountText.plain(ran)) of \(CountText.counted(listed, "test"))" }

  /// What ran and why, and how many red tests would have been left out until now.
  package var sentences: [String] { [sentence] + [misses.sentence].compactMap(\.self) }

  private var sentence: String {
    if let everything { return "Everything ran: \(everything.reason(since: since.map { "integration \($0)" }))." }
    let since = since.map { " since integration \($0)" } ?? ""
    return
      "\(share) ran; the others reach nothing that changed\(since)."
  }

  /// Why a test did not run.
  package var skipReason: String {
    "left out: it reaches nothing that changed" + (since.map { " since integration \($0)" } ?? "")
  }

  /// Why there is no coverage.
  package var coverageReason: String { "Not measured: only \(share) ran." }
}

extension OnlyAffected.Misses {
  /// How many red tests would have been left out; nil before there is anything to tell.
  package var sentence: String? {
    guard integrations > 0 else { return nil }
    return
      "In \(CountText.counted(integrations, "full run")), \(CountText.plain(missed)) of \(CountText.counted(red, "red test")) would have been left out."
  }
}

extension OnlyAffected.Everything {
  /// - Parameter since: the integration that ran everything last; nil if there is none.
  fileprivate func reason(since: String?) -> String {
    let since = since ?? "the last time"
    return switch self {
    case .unknown: "no earlier integration of this branch tells what each test runs"
    case .incompleteMap: "not every test's lines are known"
    case .toolchain: "the toolchain changed since \(since)"
    case .dependencies: "dependencies changed since \(since)"
    case .localDependency(let path): "\(path) may have changed since \(since), and has no version"
    case .circumstance(let name): "\(name) changed since \(since)"
    case .scripts: "scripts run before the build, and may have changed anything since \(since)"
    case .file(let path): "\(path) changed since \(since), which may affect any test"
    case .declarations(let place):
      "a declaration changed since \(since): \(place.file):\(place.line)"
    case .ofKeys(let place):
      "\(place.file):\(place.line) changed since \(since), which may change how dictionaries compare keys"
    case .unreached(let place): "no test is known to run \(place.file):\(place.line), which changed since \(since)"
    case .shared(let place):
      "\(place.file):\(place.line) changed since \(since), and its value is shared between tests"
    case .gates: "a gate is failing"
    case .outsideTests: "the last run failed outside of its tests"
    case .asked: "started by hand"
    case .turn(let every): "one in \(every) integrations runs everything"
    case .age: "the last full run is over a week old"
    case .nothing: "no test is known to reach what changed since \(since)"
    case .all: "every test reaches what changed since \(since)"
    }
  }
}
