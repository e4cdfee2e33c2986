/// One way in which each commit is built and tested; what it does not say is as the bot says.
package struct Destination: Hashable, Sendable, Codable {
  /// When a commit is built for it.
  package enum Occasion: String, CaseIterable, Sendable, Codable {
    /// In every integration.
    case commit
    /// When nothing waits, for the newest commit of a branch.
    case idle
  }

  /// Unique among a bot's; reports call it so.
  package var name = ""
  /// The folder of a toolchain.
  package var toolchain: String?
  /// `debug` or `release`.
  package var configuration: String?
  /// Empty for none, whatever the bot says.
  package var sanitize: [Bot.Sanitizer]?
  package var buildSystem: BuildSystem?
  /// The traits of the package to enable, in place of its default ones.
  package var traits: [String]?
  /// More arguments for `swift build`, behind the bot's.
  package var arguments: [String] = []
  /// Variables for builds and tests, over the bot's.
  package var environment: [String: String] = [:]
  /// Whether what fails here fails the integration.
  package var isRequired = true
  package var when = Occasion.commit

  package init() {}

  /// What it is called where nobody named it: what it says, in few words.
  package var ownWords: String {
    let parts: [String?] = [
      toolchain.map(Self.shortName), configuration, sanitize.flatMap { $0.first?.rawValue }, buildSystem?.rawValue,
      traits.map { $0.isEmpty ? "no traits" : $0.joined(separator: ",") },
      arguments.isEmpty ? nil : arguments.joined(separator: " "),
      environment.isEmpty
        ? nil : environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " "),
    ]
    let words = parts.compactMap(\.self).joined(separator: "+")
    return words.isEmpty ? "default" : words
  }

  /// The folder of a toolchain that tells it from others: `swift-6.4` of `/opt/swift-6.4/usr`.
  private static func shortName(ofToolchain folder: String) -> String {
    let parts = folder.split(separator: "/").map(String.init)
    return parts.last { !["usr", "bin"].contains($0) } ?? folder
  }

  /// The arguments of `swift build` that it adds.
  package var buildArguments: [String] {
    let traits = traits.map { $0.isEmpty ? ["--disable-default-traits"] : ["--traits", $0.joined(separator: ",")] }
    return (traits ?? []) + arguments
  }
}

/// All the ways in which a bot has each commit built and tested.
package struct Destinations: Hashable, Sendable, Codable {
  /// Of which of them the coverage of an integration is: one of two words, or the name of the one.
  package struct CoverageScope: RawRepresentable, Hashable, Sendable, Codable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Of the one that leads.
    package static let first = CoverageScope(rawValue: "first")
    /// Of those that are required and built for every commit: a line ran where it ran in one of them.
    package static let merged = CoverageScope(rawValue: "merged")

    /// The name of the one; nil for the two words.
    package var name: String? { [.first, .merged].contains(self) ? nil : rawValue }
  }

  /// At least one; the first leads: trends and histories of tests are its own.
  package var all: [Destination]
  /// Whether a required one that is red spares the others.
  package var stopsEarly = false
  package var coverage = CoverageScope.first

  package init(_ all: [Destination], stopsEarly: Bool = false) {
    self.all = all
    self.stopsEarly = stopsEarly
  }

  /// Whether the coverage of one of them is part of that of an integration.
  package func measures(_ destination: Destination) -> Bool {
    if let name = coverage.name { return destination.name == name }
    return coverage == .merged
      ? destination.isRequired && destination.when == .commit : destination.name == all.first?.name
  }

  /// Whether functions can be tried without their bodies: that is done in one build, whose coverage tells which tests run
  /// which of them.
  package var allowMutants: Bool { coverage == .first }

  /// Why they cannot be used, as a sentence's end; nil where they can.
  package var problem: String? {
    guard let first = all.first else { return "there should be at least one" }
    if !first.isRequired || first.when == .idle {
      return "the first leads the report, so it is required and built for every commit"
    }
    var names: Set<String> = []
    if let twice = all.first(where: { !names.insert($0.name).inserted }) {
      return "two are called '\(twice.name)'; give one another 'name'"
    }
    if let name = coverage.name, all.first(where: { $0.name == name })?.when != .commit {
      return
        "none that is built for every commit is called '\(name)'; 'coverage' should be first, merged or the name of one"
    }
    return nil
  }

  /// The product of lists of settings, in the order in which the last list changes fastest.
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
    all = all.filter { destination in !excluded.contains { destination.says($0) } }
    for index in all.indices { all[index].name = axes.telling(all[index]).ownWords }
    self.init(all, stopsEarly: stopsEarly)
  }

  /// Lists of settings, each of which is combined with each of the others; an empty list is no axis.
  package struct Axes: Hashable, Sendable {
    /// Nil for the bot's.
    package var toolchains: [String?] = []
    package var configurations: [String] = []
    /// Nil for none.
    package var sanitizers: [Bot.Sanitizer?] = []
    package var buildSystems: [BuildSystem] = []
    package var traits: [[String]] = []

    package init() {}

    /// A destination without what is the same in all of them.
    fileprivate func telling(_ destination: Destination) -> Destination {
      var telling = destination
      if toolchains.count < 2 { telling.toolchain = nil }
      if configurations.count < 2 { telling.configuration = nil }
      if sanitizers.count < 2 { telling.sanitize = nil }
      if buildSystems.count < 2 { telling.buildSystem = nil }
      if traits.count < 2 { telling.traits = nil }
      return telling
    }

    /// How many destinations they make.
    package var count: Int {
      [toolchains.count, configurations.count, sanitizers.count, buildSystems.count, traits.count]
        .reduce(1) { $0 * max(1, $1) }
    }
  }
}

extension Destination {
  /// Whether it says all that another one says.
  fileprivate func says(_ other: Destination) -> Bool {
    (other.toolchain == nil || toolchain == other.toolchain)
      && (other.configuration == nil || configuration == other.configuration)
      && (other.sanitize == nil || sanitize == other.sanitize)
      && (other.buildSystem == nil || buildSystem == other.buildSystem)
      && (other.traits == nil || traits == other.traits)
  }
}
