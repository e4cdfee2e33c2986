/// What a bot with `tests: {only: affected}` ran in an integration.
package struct OnlyAffected: Hashable, Sendable, Codable {
  /// Why every test ran.
  package enum Everything: Hashable, Sendable {
    /// No earlier integration of the branch ran every test and knows what each of them runs.
    case unknown
    /// It is not known of some tests what they run.
    case incompleteMap
    case toolchain, dependencies
    /// A package outside of the repository, of which no version tells whether it changed; its path.
    case localDependency(String)
    /// A condition other than the commit, such as a variable.
    case circumstance(String)
    /// Scripts run before the build, and what they write is in no commit.
    case scripts
    /// A file of which nobody knows what it affects; relative to the package.
    case file(String)
    /// More than the bodies of functions changed.
    case declarations(SourceLocation)
    /// A function changed by which a dictionary may compare its keys, whichever test that happens in.
    case ofKeys(SourceLocation)
    /// A function changed that no test is known to run.
    case unreached(SourceLocation)
    /// A function changed that may have made a value for all tests; only in older documents.
    case shared(SourceLocation)
    /// A condition on coverage failed, which is only judged where everything runs.
    case gates
    /// What failed in the last integration was none of its tests.
    case outsideTests
    /// Somebody asked, or the toolchain is new.
    case asked
    /// It is the turn of every so many integrations.
    case turn(every: Int)
    /// The last integration that ran every test is too long ago.
    case age
    /// No test has a reason to run.
    case nothing
    /// All tests have a reason to run.
    case all
  }

  /// The red tests of integrations that ran everything, and how many of them would have been left out.
  package struct Misses: Hashable, Sendable, Codable {
    /// The number of integrations that ran everything and for which there was a choice.
    package var integrations: Int
    /// The tests that turned red in them.
    package var red: Int
    /// Those of them that would not have run.
    package var missed: Int

    package init(integrations: Int = 0, red: Int = 0, missed: Int = 0) {
      self.integrations = integrations
      self.red = red
      self.missed = missed
    }

    package static func + (one: Misses, other: Misses) -> Misses {
      Misses(
        integrations: one.integrations + other.integrations, red: one.red + other.red,
        missed: one.missed + other.missed)
    }
  }

  /// The integration whose tests all ran last and were mapped; nil if there is none.
  package var since: Int?
  /// The numbers of tests that had a reason to run, and of all.
  package var ran: Int
  package var listed: Int
  /// Red tests, if every test ran although some would have been left out; each integration's own share of `misses`.
  package var trial: Misses?
  /// The tests of it that would have been left out and turned red; absent if there are none.
  package var missed: [TestID]?
  /// Those of all integrations of the bot up to this one.
  package var misses = Misses()
  /// The word for why everything ran, and what it is about; both absent if tests were left out.
  private var everythingBecause: String?
  private var subject: String?
  private var line: Int?
  private var every: Int?

  package init(since: Int?, ran: Int, listed: Int, everything: Everything?) {
    self.since = since
    self.ran = ran
    self.listed = listed
    everythingBecause = everything?.word
    switch everything {
    case .circumstance(let name): subject = name
    case .file(let path), .localDependency(let path): subject = path
    case .declarations(let place), .ofKeys(let place), .unreached(let place), .shared(let place):
      (subject, line) = (place.file, place.line)
    case .turn(let turn): every = turn
    case nil, .unknown, .incompleteMap, .toolchain, .dependencies, .scripts, .gates, .outsideTests, .asked, .age,
      .nothing, .all:
      break
    }
  }

  /// Why every test ran; nil if tests were left out.
  package var everything: Everything? {
    let place = SourceLocation(file: subject ?? "", line: line ?? 0)
    switch everythingBecause {
    case nil: return nil
    case "incomplete-map": return .incompleteMap
    case "toolchain": return .toolchain
    case "dependencies": return .dependencies
    case "local-dependency": return .localDependency(subject ?? "")
    case "circumstance": return .circumstance(subject ?? "")
    case "scripts": return .scripts
    case "file": return .file(subject ?? "")
    case "declarations": return .declarations(place)
    case "of-keys": return .ofKeys(place)
    case "unreached": return .unreached(place)
    case "shared": return .shared(place)
    case "gates": return .gates
    case "outside-tests": return .outsideTests
    case "asked": return .asked
    case "turn": return .turn(every: every ?? 0)
    case "age": return .age
    case "nothing": return .nothing
    case "all": return .all
    // What a newer Martlet wrote.
    default: return .unknown
    }
  }

  /// Whether tests were left out.
  package var isPartial: Bool { everythingBecause == nil }
  /// The number of tests that were left out.
  package var leftOut: Int { isPartial ? listed - ran : 0 }
}

extension OnlyAffected.Everything {
  fileprivate var word: String {
    switch self {
    case .unknown: "unknown"
    case .incompleteMap: "incomplete-map"
    case .toolchain: "toolchain"
    case .dependencies: "dependencies"
    case .localDependency: "local-dependency"
    case .circumstance: "circumstance"
    case .scripts: "scripts"
    case .file: "file"
    case .declarations: "declarations"
    case .ofKeys: "of-keys"
    case .unreached: "unreached"
    case .shared: "shared"
    case .gates: "gates"
    case .outsideTests: "outside-tests"
    case .asked: "asked"
    case .turn: "turn"
    case .age: "age"
    case .nothing: "nothing"
    case .all: "all"
    }
  }
}
