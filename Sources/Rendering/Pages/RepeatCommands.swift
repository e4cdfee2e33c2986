import Model

/// The commands that run one test again.
struct RepeatCommands {
  private let test: TestResult
  private let repeatCommand: String

  init(_ test: TestResult, repeatCommand: String) {
    self.test = test
    self.repeatCommand = repeatCommand
  }

  /// Martlet's own command, for the same commit.
  var martlet: String { "\(repeatCommand) \(filter)" }

  var swift: String { "swift test \(filter)" }

  /// Repeats the test in a checkout until it fails.
  var untilItFails: String { "while \(swift); do :; done" }

  /// The option that selects the test.
  var filter: String { "--filter \(Self.quoted(pattern))" }

  /// Swift Testing's names end with the place of the declaration where they are matched, so the pattern must not end
  /// before it.
  private var pattern: String {
    let name = Self.escaped(test.id.description)
    switch test.library {
    case .xctest: return "^\(name)$"
    case .swiftTesting: return "^\(name)\(test.id.hasPlace ? "$" : "/")"
    }
  }

  private static let mostFilters = 3

  /// Returns the commands that run an integration again; of one that does not build, first the build.
  static func all(of integration: Integration) -> [String] {
    guard integration.outcome == .buildErrors else { return [integration.repeatCommand] }
    return [integration.buildCommand, integration.unfilteredCommand ?? integration.repeatCommand].compactMap(\.self)
  }

  /// Returns the command that runs an integration's first red tests in a checkout; nil if none is red.
  static func swift(redOf integration: Integration) -> String? {
    swift(integration.tests.results.filter(\.state.isRed))
  }

  /// Returns the command that runs the first of some tests in a checkout; nil without tests.
  static func swift(_ tests: [TestResult]) -> String? {
    let filters = tests.prefix(mostFilters).map { RepeatCommands($0, repeatCommand: "").filter }
    return filters.isEmpty ? nil : "swift test \(filters.joined(separator: " "))"
  }

  /// Returns a regular expression that matches only a text.
  static func escaped(_ text: String) -> String {
    var pattern = ""
    for character in text {
      if #"\^$.|?*+()[]{}"#.contains(character) { pattern.append("\\") }
      pattern.append(character)
    }
    return pattern
  }

  /// Returns a word in single quotes, in which a shell interprets nothing.
  static func quoted(_ word: String) -> String {
    var quoted = "'"
    for character in word {
      if character == "'" { quoted += #"'\''"# } else { quoted.append(character) }
    }
    return quoted + "'"
  }
}
