extension Bot {
  /// The bot's settings as pages and lists show them: the main ones, and every other that is not the default. The branch
  /// that HEAD points to is in the repository.
  package var words: [WatchState.Setting] { commitWords + buildWords + tests.words + rest }

  /// What is integrated, and when.
  private var commitWords: [WatchState.Setting] {
    let also = schedule.alsoWhenToolchainChanges ? ", and when the toolchain changes" : ""
    let order = commits == .latest ? "the newest of several" : "each, in order unless somebody asks for one"
    return WatchState.settings([
      ("Repository", shownRepository),
      ("Branches", branches.listed),
      ("Fetched", remote == nil ? nil : fetchPolicy.words),
      ("Commit status", statusPlace.map { "\($0.context) at \($0.host)" }),
      ("Pull requests", asksForChangeRequests ? trust.words : nil),
      ("Package", package == "." ? nil : package),
      ("Paths", paths.listed),
      ("Ignored", (ignore.paths + ignore.messages.map { "“\($0)”" }).listed),
      ("Tags", tags.listed),
      ("Schedule", schedule.words + also),
      ("Commits", order + (cancelSuperseded ? ", which cancels the one before" : "")),
    ])
  }

  /// How the package is built.
  private var buildWords: [WatchState.Setting] {
    WatchState.settings([
      ("Actions", actions.map(\.rawValue).joined(separator: ", ")),
      ("Analyzed by", analyze),
      ("Clean", clean.rawValue),
      ("Configuration", configuration),
      ("Toolchain", toolchain),
      ("Build system", buildSystem?.rawValue),
      ("Sanitizers", sanitize.map(\.rawValue).listed),
      ("Destinations", destinations?.words),
      ("Arguments", arguments.nonEmpty?.joined(separator: " ")),
    ])
  }

  /// How results are judged and told, and what the code under test may do.
  private var rest: [WatchState.Setting] {
    let places = sandbox.read + sandbox.write
    return WatchState.settings([
      ("Quarantine", quarantine.map(\.test.description).listed),
      ("Coverage", coverage.words),
      ("Gates", coverage.gates.map(\.shortName).listed),
      ("Hints off", practice.off.map(\.rawValue).listed),
      (
        "Sandbox",
        sandbox.mode.rawValue + (sandbox.network ? ", with the network" : "")
          + (places.listed.map { ", with \($0)" } ?? "") + sandbox.allowance
      ),
      ("Machines", labels.listed.map { "those labelled \($0)" }),
      ("Submodules", submodules.allow.listed.map { "also from \($0)" }),
      // Values may be long.
      ("Environment", environment.keys.sorted().listed),
      ("Secrets", secrets.listed.map { $0 + (secretBranches.listed.map { ", on \($0)" } ?? "") }),
      ("Triggers", triggers.map(\.word).listed),
      ("Notes", notes ? "written to commits" : nil),
      ("Visibility", visibility == .members ? nil : visibility.rawValue),
      ("Hook", hookSecret.map { "signed with \($0)" }),
      ("Kept", keep.words),
    ])
  }
}

extension TestSettings {
  fileprivate var words: [WatchState.Setting] {
    let usual = TestSettings()
    func limit(_ value: KeyPath<TestSettings, Duration>, _ what: String) -> String? {
      self[keyPath: value] == usual[keyPath: value] ? nil : "\(self[keyPath: value].words) \(what)"
    }
    // Silence as long as a test may take is not said by itself.
    let quiet = limits.silence == max(usual.limits.silence, limits.test) ? nil : limit(\.limits.silence, "of silence")
    let timeOuts = [limit(\.limits.test, "a test"), quiet, limit(\.limits.step, "all tests")].compactMap(\.self)
    let which = [
      areExpected ? nil : "none expected",
      only == .affected ? "only affected ones, everything every \(every) integrations" : nil,
      filter.listed.map { "those that match \($0)" }, skip.listed.map { "not those that match \($0)" },
      isolation ? "each alone, too" : nil, first == .off ? "in the order of their libraries" : nil,
    ].compactMap(\.self)
    return WatchState.settings([
      ("Tests", which.nonEmpty?.joined(separator: "; ")),
      ("Time-out", timeOuts.listed),
      ("Retries", retries > 0 ? "\(retries)" : nil),
      ("Slow", limit(\.slow, "or longer")),
      ("Test names", names.isEmpty ? nil : "match \(names)"),
    ])
  }
}

extension CoverageSettings {
  /// What is measured besides; nil for the default.
  fileprivate var words: String? {
    guard isMeasured else { return "off" }
    return [
      map ? "mapped to tests" : nil, mutants == .off ? nil : "mutants: \(mutants.rawValue)",
      incidental ? "incidental lines told apart" : nil, blame ? "authors of lines" : nil,
      exclude.listed.map { "without \($0)" },
    ].compactMap(\.self).listed
  }
}

extension Destinations {
  fileprivate var words: String {
    all.map(\.name).joined(separator: "; ") + (stopsEarly ? "; the rest is skipped once one is red" : "")
      + (coverage == .first ? "" : "; coverage: \(coverage.rawValue)")
  }
}

extension Trigger {
  fileprivate var word: String {
    switch self {
    case .script(let script): script.moment == .before ? "script before" : "script after"
    case .mail: "mail"
    case .webhook: "webhook"
    }
  }
}

extension WatchState {
  /// Returns the settings that have words.
  fileprivate static func settings(_ all: [(label: String, words: String?)]) -> [Setting] {
    all.compactMap { label, words in words.map { Setting(label, $0) } }
  }
}

extension [String] {
  /// The elements as a list; nil if there are none.
  fileprivate var listed: String? { isEmpty ? nil : joined(separator: ", ") }
}
