import Model

extension Field {
  /// The most destinations; more would take too long.
  private static let mostDestinations = 64

  private static let destinationExample = "[{}, {sanitize: thread}]"
  private static let axesExample = "{configuration: [debug, release], sanitize: [none, thread]}"

  /// Reads a list of destinations, or a mapping with such a list or with axes.
  func destinations(in surroundings: Surroundings) -> Destinations? {
    guard isMapping else {
      return destinationList(in: surroundings).flatMap { checked(Destinations($0)) }
    }
    guard let fields = fields("{axes: \(Self.axesExample)}") else { return nil }
    let (cells, axes) = (fields.field("cells"), fields.field("axes"))
    var excluded: [Destination] = []
    fields.take("exclude", into: &excluded) { $0.list("[{configuration: release}]") { $0.exclusion(in: surroundings) } }
    var stopsEarly = false
    fields.take("stop-early", into: &stopsEarly) { $0.flag() }
    var coverage = Destinations.CoverageScope.first
    fields.take("coverage", into: &coverage) {
      $0.text("first, merged or the name of a destination").map(Destinations.CoverageScope.init)
    }
    fields.finish()
    var destinations: Destinations
    switch (cells, axes) {
    case (let cells?, nil):
      guard excluded.isEmpty else { return refuse("'exclude' goes with 'axes'; take the destination out of 'cells'") }
      guard let list = cells.destinationList(in: surroundings) else { return nil }
      destinations = Destinations(list, stopsEarly: stopsEarly)
    case (nil, let axes?):
      guard let axes = axes.destinationAxes(in: surroundings) else { return nil }
      guard axes.count <= Self.mostDestinations else { return tooMany(axes.count) }
      destinations = Destinations(axes: axes, excluding: excluded, stopsEarly: stopsEarly)
    case (nil, nil), (_?, _?):
      return refuse(
        "'\(name)' needs either 'cells', such as \(Self.destinationExample), or 'axes', such as \(Self.axesExample)")
    }
    destinations.coverage = coverage.rawValue == destinations.all.first?.name ? .first : coverage
    return checked(destinations)
  }

  private func checked(_ destinations: Destinations) -> Destinations? {
    if destinations.all.count > Self.mostDestinations { return tooMany(destinations.all.count) }
    return destinations.problem.map { refuse("'\(name)': \($0)") } ?? destinations
  }

  private func tooMany(_ count: Int) -> Destinations? {
    refuse("'\(name)' makes \(count) destinations; \(Self.mostDestinations) are the most")
  }

  private func destinationList(in surroundings: Surroundings) -> [Destination]? {
    list(Self.destinationExample, allowsRepetition: true) { $0.destination(in: surroundings) }
  }

  private func destination(in surroundings: Surroundings) -> Destination? {
    merged(into: Destination(), "{sanitize: thread}") { fields, destination in
      fields.take("name", into: &destination.name) { $0.text("a name such as release") }
      read(fields, into: &destination, in: surroundings)
      fields.take("arguments", into: &destination.arguments) {
        $0.list("[-Xswiftc, -DSLOW]", allowsRepetition: true) { $0.buildArgument() }
      }
      fields.take("environment", into: &destination.environment) { $0.environment([:]) }
      fields.take("required", into: &destination.isRequired) { $0.flag() }
      fields.take("when", into: &destination.when) { $0.choice() }
      fields.take("gates", into: &destination.gates) { $0.coverageGates() }
      if destination.name.isEmpty { destination.name = destination.ownWords }
    }
  }

  /// Reads a description of destinations to exclude from those made of axes.
  private func exclusion(in surroundings: Surroundings) -> Destination? {
    let said = merged(into: Destination(), "{configuration: release}") { read($0, into: &$1, in: surroundings) }
    return said == Destination()
      ? refuse("each of 'exclude' should say something, such as {configuration: release}") : said
  }

  private func read(_ fields: Fields, into destination: inout Destination, in surroundings: Surroundings) {
    fields.take("toolchain", into: &destination.toolchain) { $0.toolchain(in: surroundings) }
    fields.take("configuration", into: &destination.configuration) { $0.choice(among: ["debug", "release"]) }
    fields.take("sanitize", into: &destination.sanitize) { $0.sanitizer().map { $0.map { [$0] } ?? [] } }
    fields.take("build-system", into: &destination.buildSystem) { $0.choice() }
    fields.take("traits", into: &destination.traits) { $0.traits() }
  }

  /// Reads lists of settings, which are combined with one another.
  private func destinationAxes(in surroundings: Surroundings) -> Destinations.Axes? {
    guard let fields = fields(Self.axesExample) else { return nil }
    var axes = Destinations.Axes()
    fields.take("toolchain", into: &axes.toolchains) {
      $0.list("[default, /opt/swift-6.4]") { field -> String?? in
        field.isWord("default") ? .some(nil) : field.toolchain(in: surroundings).map(Optional.some)
      }
    }
    fields.take("configuration", into: &axes.configurations) {
      $0.list("[debug, release]") { $0.choice(among: ["debug", "release"]) }
    }
    fields.take("sanitize", into: &axes.sanitizers) { $0.list("[none, thread]") { $0.sanitizer() } }
    fields.take("build-system", into: &axes.buildSystems) { $0.list("[native, swiftbuild]") { $0.choice() } }
    fields.take("traits", into: &axes.traits) { $0.list("[[], [Logging]]") { $0.traits() } }
    fields.finish()
    // Problems with individual lists have already been reported.
    guard axes.count < 2, findings.isEmpty else { return axes }
    return refuse("'\(name)' should name at least two values, such as \(Self.axesExample)")
  }

  /// Reads a sanitizer, or `none`.
  private func sanitizer() -> Bot.Sanitizer?? {
    let words = ["none"] + Bot.Sanitizer.allCases.map(\.rawValue)
    guard let word = choice(among: words) else { return nil }
    return .some(Bot.Sanitizer(rawValue: word))
  }

  /// Reads traits of the package; an empty list disables even the default ones.
  private func traits() -> [String]? {
    list("[Logging]") { field in
      field.text("the name of a trait such as Logging") { text in
        text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || "-+.".unicodeScalars.contains($0) }
      }
    }
  }
}
