/// A way to build and test each commit; whatever it leaves out is taken from the bot.
package struct Destination: Hashable, Sendable, Codable {
  /// When a commit is built for a destination.
  package enum Occasion: String, CaseIterable, Sendable, Codable {
    /// In every integration.
    case commit
    /// When nothing else is waiting, for the newest commit of a branch.
    case idle
  }

  /// The name used in reports, unique within a bot.
  package var name = ""
  /// The folder of a toolchain.
  package var toolchain: String?
  /// `debug` or `release`.
  package var configuration: String?
  /// Empty for none, whatever the bot's setting.
  package var sanitize: [Bot.Sanitizer]?
  package var buildSystem: BuildSystem?
  /// The traits of the package to enable instead of its default ones.
  package var traits: [String]?
  /// Additional arguments for `swift build`, following the bot's.
  package var arguments: [String] = []
  /// Variables for builds and tests, taking precedence over the bot's.
  package var environment: [String: String] = [:]
  /// Whether a failure here fails the integration.
  package var isRequired = true
  package var when = Occasion.commit
  /// Conditions on the coverage of this destination by itself; nil for none, as for the first one, which the bot's gates
  /// judge.
  package var gates: [CoverageGate]?

  package init() {}

  /// The name of a destination that was given none: a brief description of its settings.
  package var ownWords: String {
    let parts: [String?] = [
      toolchain.map(Self.shortName), configuration, sanitize.flatMap { $0.first?.rawValue }, buildSystem?.rawValue,
      traits.map { $0.isEmpty ? "no traits" : $0.joined(separator: ",") },
      arguments.nonEmpty?.joined(separator: " "),
      environment.nonEmpty?.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "),
    ]
    let words = parts.compactMap(\.self).joined(separator: "+")
    return words.isEmpty ? "default" : words
  }

  /// Returns the distinctive folder in a toolchain's path: `swift-6.4` for `/opt/swift-6.4/usr`.
  private static func shortName(ofToolchain folder: String) -> String {
    let parts = folder.split(separator: "/").map(String.init)
    return parts.last { !["usr", "bin"].contains($0) } ?? folder
  }

  /// The arguments that the destination adds to `swift build`.
  package var buildArguments: [String] {
    let traits = traits.map { $0.isEmpty ? ["--disable-default-traits"] : ["--traits", $0.joined(separator: ",")] }
    return (traits ?? []) + arguments
  }
}

/// All the ways in which a bot has each commit built and tested.
package struct Destinations: Hashable, Sendable, Codable {
  /// The destination that the coverage of an integration comes from: its name, or one of two words.
  package struct CoverageScope: RawRepresentable, Hashable, Sendable, Codable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The leading destination.
    package static let first = CoverageScope(rawValue: "first")
    /// All that are required and built for every commit: a line ran if it ran in any of them.
    package static let merged = CoverageScope(rawValue: "merged")

    /// The name of the destination; nil for `first` and `merged`.
    package var name: String? { [.first, .merged].contains(self) ? nil : rawValue }
  }

  /// At least one. The first one leads: trends and test histories are about it.
  package var all: [Destination]
  /// Whether the remaining destinations are skipped once a required one is red.
  package var stopsEarly = false
  package var coverage = CoverageScope.first

  package init(_ all: [Destination], stopsEarly: Bool = false) {
    self.all = all
    self.stopsEarly = stopsEarly
  }

  /// Returns whether the coverage of a destination is part of the integration's.
  package func measures(_ destination: Destination) -> Bool {
    if let name = coverage.name { return destination.name == name }
    return coverage == .merged
      ? destination.isRequired && destination.when == .commit : destination.name == all.first?.name
  }

  /// Whether functions can be tried without their bodies: this needs a single build, whose coverage tells which tests run
  /// which function.
  package var allowMutants: Bool { coverage == .first }

  /// The reason why the destinations cannot be used, as the end of a sentence; nil if they can.
  package var problem: String? {
    guard let first = all.first else { return "there should be at least one" }
    if !first.isRequired || first.when == .idle {
      return "the first leads the report, so it is required and built for every commit"
    }
    var names: Set<String> = []
    if let twice = all.first(where: { !names.insert($0.name).inserted }) {
      return "two are called '\(twice.name)'; give one another 'name'"
    }
    if !(first.gates ?? []).isEmpty {
      return "the gates of the first are those of 'coverage'; leave out its own 'gates'"
    }
    if let tries = all.first(where: { $0.gates?.contains(.noUncheckedChanges) == true }) {
      return
        "functions are tried without their bodies for the first only; leave no-unchecked-changes out of the 'gates' of '\(tries.name)'"
    }
    if let name = coverage.name, all.first(where: { $0.name == name })?.when != .commit {
      return
        "none that is built for every commit is called '\(name)'; 'coverage' should be first, merged or the name of one"
    }
    return nil
  }

  /// Creates the product of lists of settings, with the last list varying fastest.
  package init(axes: Axes, excluding excluded: [Destination] = [], stopsEarly: Bool = false) {
    var all = [Destination()]
    func multiply<Value>(_ values: [Value], _ place: WritableKeyPath<Destination, Value>) {
      guard !values.isEmpty else { return }
      all = all.flatMap { destination in
        values.map { value in
          var destination = destination
          destination[keyPath: place] = value
          return destination
        }
      }
    }
    multiply(axes.toolchains, \.toolchain)
    multiply(axes.configurations.map(Optional.some), \.configuration)
    multiply(axes.sanitizers.map { .some($0.map { [$0] } ?? []) }, \.sanitize)
    multiply(axes.buildSystems.map(Optional.some), \.buildSystem)
    multiply(axes.traits.map(Optional.some), \.traits)
    all = all.filter { destination in !excluded.contains { destination.matches($0) } }
    for index in all.indices { all[index].name = axes.distinguishingSettings(of: all[index]).ownWords }
    self.init(all, stopsEarly: stopsEarly)
  }

  /// Lists of settings, each combined with each of the others; an empty list adds no axis.
  package struct Axes: Hashable, Sendable {
    /// Nil for the bot's.
    package var toolchains: [String?] = []
    package var configurations: [String] = []
    /// Nil for none.
    package var sanitizers: [Bot.Sanitizer?] = []
    package var buildSystems: [BuildSystem] = []
    package var traits: [[String]] = []

    package init() {}

    /// Returns a destination without the settings that are the same in all of them.
    fileprivate func distinguishingSettings(of destination: Destination) -> Destination {
      var settings = destination
      if toolchains.count < 2 { settings.toolchain = nil }
      if configurations.count < 2 { settings.configuration = nil }
      if sanitizers.count < 2 { settings.sanitize = nil }
      if buildSystems.count < 2 { settings.buildSystem = nil }
      if traits.count < 2 { settings.traits = nil }
      return settings
    }

    /// The number of destinations that the axes produce.
    package var count: Int {
      [toolchains.count, configurations.count, sanitizers.count, buildSystems.count, traits.count]
        .reduce(1) { $0 * max(1, $1) }
    }
  }
}

extension Destination {
  /// Returns whether the destination has all the settings of another one.
  fileprivate func matches(_ other: Destination) -> Bool {
    (other.toolchain == nil || toolchain == other.toolchain)
      && (other.configuration == nil || configuration == other.configuration)
      && (other.sanitize == nil || sanitize == other.sanitize)
      && (other.buildSystem == nil || buildSystem == other.buildSystem)
      && (other.traits == nil || traits == other.traits)
  }
}
