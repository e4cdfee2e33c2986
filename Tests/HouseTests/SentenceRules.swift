/// Decisions are made by values: no code compares or cuts a sentence of Martlet's own.
enum SentenceRules {
  /// Folders and files that read what others wrote, each with whose words they are.
  static let readers = [
    "Sources/Parsing/": "the tools that build and test",
    "Sources/BotFiles/Settings/SecretsFile.swift": "a person, in the syntax of a shell",
    "Sources/Git/Repository+Refusing.swift": "libgit2",
    "Sources/Integrating/Fetching/FetchFailure.swift": "git, curl and ssh",
    "Sources/Integrating/Handing/SlurmClient.swift": "Slurm",
    "Sources/Notifying/Forge/ForgeCall.swift": "GitHub and GitLab",
    "Sources/Integrating/Testing/Observer/ObserverBuild.swift": "the compiler",
    "Sources/Model/FailureEcho.swift": "the tools that build and test",
    "Sources/Model/FailureMessage.swift": "XCTest and Swift Testing",
    "Sources/Model/Issues/IssueSubject+Older.swift": "an older Martlet, which kept nothing but sentences",
    "Sources/Processes/Bubblewrap.swift": "bubblewrap",
    "Sources/Rendering/Coverage/FunctionShortName.swift": "the demangler",
    "Sources/Rendering/Coverage/NextFunctions.swift": "the demangler",
    "Sources/Rendering/Exports/CoverageDocument+Reading.swift": "JSON, cut before it is decoded",
    "Sources/Rendering/Text/FoundationErrorText.swift": "Foundation, in the description of an error",
    "Sources/Rendering/Pages/TestLogLines.swift": "XCTest and Swift Testing",
    "Sources/Rendering/Pages/Outcome+Words.swift": "the code of a kind, with blanks",
  ]

  /// Where sentences are made beside `Rendering/Words`, each with why.
  static let makers = [
    "Sources/Rendering/": "the words of one place on a page, in a mail or an export stand beside that place",
    "Sources/BotFiles/": "errors that a user is shown", "Sources/Git/": "errors that a user is shown",
    "Sources/Notifying/": "errors that a user is shown", "Sources/Processes/": "errors that a user is shown",
    "Sources/Storing/": "errors that a user is shown", "Sources/Watching/": "errors that a user is shown",
    "Sources/Serving/": "errors that a caller is answered with, and the description of the API",
    "Sources/Parsing/": "how what other tools print contradicts itself",
    "Sources/Scheduling/": "why the queue is as it is, which the store keeps",
    "Sources/Keeping/": "what the watcher writes to its log and answers to requests",
    "Sources/martlet/": "help, and what a terminal is told",
    "Sources/Integrating/": "errors that a user is shown, and why something is not known",
    "Sources/Comparing/IssueFinder.swift": "messages of issues, by which stores tell them apart",
    "Sources/Comparing/IntegrationComparison+Compare.swift": "what martlet compare --json says",
    "Sources/Comparing/TestChanges+Compare.swift": "what martlet compare --json says",
    "Sources/Model/Integration.swift": "why there is no coverage yet, which documents keep",
    "Sources/Model/BuildAudit.swift": "an audit's end, which the watcher tells, too",
    "Sources/Model/Bot/PackageSettings.swift": "remarks on a package's settings, which documents keep",
  ]

  /// Literals that read as a sentence where none is to be made.
  static func sentences(in text: SwiftText) -> [Violation] {
    guard !makers.keys.contains(where: text.path.hasPrefix) else { return [] }
    return text.literals.filter { isSentence($0.text) }.map {
      Violation(
        file: text.path, line: $0.line,
        rule: "\($0.text) is a sentence; a value goes to Sources/Rendering/Words, which tells it")
    }
  }

  /// Three words or more that begin like a sentence and end with a full stop.
  private static func isSentence(_ literal: String) -> Bool {
    let text = literal.filter { $0 != "\"" && $0 != "#" }.trimmingPrefix { $0 == " " }
    guard let first = text.first, first.isUppercase || first == "…" else { return false }
    return text.split(separator: " ").count > 2 && text.last(where: { $0 != " " }) == "."
      && text.contains(where: \.isLowercase)
  }

  private static let questions = [
    ".hasPrefix(\"", ".hasSuffix(\"", ".contains(\"", ".dropping(\"", "firstRange(of: \"", "ranges(of: \"",
    "split(separator: \"", "== \"", "!= \"",
  ].map { Array($0.utf8) }

  /// Texts of several words that something is compared with or cut at.
  static func violations(in text: SwiftText) -> [Violation] {
    guard !readers.keys.contains(where: text.path.hasPrefix) else { return [] }
    return text.lines.indices.flatMap { line in
      let (written, code) = (Array(text.lines[line].utf8), Array(text.code[line].utf8))
      let marks = written.indices.filter { written[$0] == UInt8(ascii: "\"") }
      return marks.filter { mark in questions.contains { isAsked($0, before: mark, in: written, code) } }
        .map { literal(written[($0 + 1)...]) }.filter(isOfWords).map {
          Violation(
            file: text.path, line: line + 1, rule: "'\($0)' is read from a sentence; a value says what it is about")
        }
    }
  }

  /// Whether a question ends with the quotation mark at an index; the question itself is code, up to that mark.
  private static func isAsked(_ question: [UInt8], before mark: Int, in written: [UInt8], _ code: [UInt8]) -> Bool {
    let start = mark + 1 - question.count
    return start >= 0 && written[start...mark].elementsEqual(question)
      && code[start..<mark].elementsEqual(question.dropLast())
  }

  /// The text up to the closing quotation mark, without what is interpolated.
  private static func literal(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var depth = 0
    var isEscaped = false
    for byte in bytes {
      if depth > 0 {
        depth += byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
      } else if isEscaped {
        depth = byte == UInt8(ascii: "(") ? 1 : 0
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        break
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isOfWords(_ text: String) -> Bool { text.contains(" ") && text.contains(where: \.isLetter) }
}
