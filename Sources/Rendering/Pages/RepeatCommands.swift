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

  /// The option that selects the test.
  var filter: String { "--filter \(Self.quoted(pattern))" }

  /// SwiftPM appends the place of the declaration to Swift Testing's names before matching, so the pattern must not end
  /// there.
  private var pattern: String {
    let name = Self.escaped(test.id.description)
    switch test.library {
    case .xctest: return "^\(name)$"
    case .swiftTesting: return "^\(name)/"
    }
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
