package import Model

/// The reader of `.martlet.yml`, the file with which a package chooses how bots test it.
package enum PackageSettingsFile {
  /// The text that explains the file's fields, for help.
  package static let explanation = """
    # .martlet.yml, beside Package.swift, says how the package wants to be tested. As it comes with each commit, it may
    # choose what is run and what the report's coverage leaves out, and shorten time limits. Any other key is an error,
    # and nothing is built. 'martlet check .martlet.yml' checks it. The report says which of its values counted.

    # What to do: any of build, test, analyze, archive. It replaces the bot's; 'analyze' needs a command in the bot's file.
    #actions: [build, test]

    # 'filter' replaces the bot's, 'skip' is added to it; both hold regular expressions. 'timeout' and 'silence' count
    # where they are shorter than the bot's.
    # Example: tests: {filter: [GreeterTests], skip: [SlowTests], timeout: 5m, silence: 2m}

    # Files that do not count, as globs from the package's folder, in addition to the bot's. Gates still count them, and
    # name them.
    # Example: coverage: {exclude: ["Sources/Generated/**"]}

    """

  /// The file's name; it is located next to `Package.swift`.
  package static let name = ".martlet.yml"

  /// Reads the file, whose bytes come from unreviewed commits.
  ///
  /// - Parameter file: The file's path as shown in messages.
  /// - Throws: All problems with the file, including keys that a package may not set.
  package static func read(_ bytes: [UInt8], file: String = name) throws(BotFileError) -> PackageSettings {
    var settings = PackageSettings()
    let document = Document(bytes, file: file)
    let findings = document.findings
    if let fields = document.root?.fields("actions: [build, test]") {
      fields.take("actions", into: &settings.actions) { $0.actions() }
      fields.update("tests", &settings, readTests)
      fields.update("coverage", &settings, readCoverage)
      fields.finish(BotReader.advice) { BotFileText.keys.contains($0) ? refusal(of: $0) : nil }
    }
    guard findings.isEmpty else { throw BotFileError(findings.problems) }
    return settings
  }

  /// Reads a file on this machine.
  ///
  /// - Parameter shown: The path as shown in messages.
  package static func read(at path: String, shownAs shown: String) throws(BotFileError) -> PackageSettings {
    try read(RegularFile.read(path, shownAs: shown), file: shown)
  }

  private static func readTests(_ field: Field, _ base: PackageSettings) -> PackageSettings? {
    let shape = "a mapping such as {timeout: 5m}; only the bot's file can say that there are none"
    guard let fields = field.fields(expecting: shape) else { return nil }
    var settings = base
    fields.take("filter", into: &settings.filter) { $0.list("[GreeterTests]") { $0.regularExpression() } }
    fields.take("skip", into: &settings.skip) { $0.list("[SlowTests]") { $0.regularExpression() } }
    fields.take("timeout", into: &settings.timeout) { $0.duration() }
    fields.take("silence", into: &settings.silence) { $0.duration() }
    fields.finish(refusal: { refusal(of: $0, under: "tests") })
    return settings
  }

  private static func readCoverage(_ field: Field, _ base: PackageSettings) -> PackageSettings? {
    let shape = "a mapping such as {exclude: []}; only the bot's file can turn coverage off"
    guard let fields = field.fields(expecting: shape) else { return nil }
    var settings = base
    fields.take("exclude", into: &settings.coverageExclude) {
      $0.list("[\"Sources/Generated/**\"]") { $0.pathGlob("Sources/Generated/**") }
    }
    fields.finish(refusal: { refusal(of: $0, under: "coverage") })
    return settings
  }

  private static func refusal(of key: String, under outer: String) -> String? {
    BotReader.innerKeys[outer]?.contains(key) == true ? refusal(of: "\(outer).\(key)") : nil
  }

  private static func refusal(of key: String) -> String {
    "a package may not set '\(key)'; set it in the bot's file, bots/NAME.yml"
  }
}
