import BotFiles
import Model

/// The command that repeats an integration, quoted for a shell.
package struct RepeatCommand {
  let text: String
  /// The command without the selection of tests, and without what applies to all of them together; a time limit applies to
  /// each.
  let unfiltered: String
  /// The command that only builds, in a checkout, with what decides how the sources are compiled.
  let build: String
  /// The command that tests there, built likewise.
  let test: String

  /// - Parameters:
  ///   - repository: its path; for a remote repository, the name of a clone of it.
  ///   - toolchain: nil if there is none.
  init(_ request: IntegrationRequest, target: Target, repository: String, toolchain: Toolchain? = nil) {
    var words = ["martlet", "run", repository]
    words += target.includesWorkingTree ? ["--working-tree"] : ["--commit", target.commit.short]
    if target.package != "." { words += ["--package", target.package] }
    // That of the search path is named by nobody.
    let swift = request.toolchain == nil ? "swift" : toolchain?.program("swift") ?? "swift"
    let place = target.package == "." ? [] : ["--package-path", target.package]
    build = Self.line(request, [swift, "build"] + (request.actions.contains(.test) ? ["--build-tests"] : []) + place)
    test = Self.line(request, [swift, "test"] + place)
    let options = Self.buildOptions(request, and: request.others)
    let isUsual =
      request.arguments.isEmpty && request.environment.isEmpty && Set(request.actions) == [.build, .test]
      && request.tests.limits.followFromTest
    if options == nil || !isUsual, !request.bot.name.isEmpty {
      // Only the bot's file says all of it.
      text = (words + ["--bot", request.bot.name]).map(Self.quoted).joined(separator: " ")
      unfiltered = text
      return
    }
    words += options ?? Self.buildOptions(request, and: []) ?? []
    if request.sandbox.mode != .auto { words += ["--sandbox", request.sandbox.mode.rawValue] }
    if request.tests.limits.test != TestLimits().test {
      words += ["--timeout", DurationField.write(request.tests.limits.test)]
    }
    unfiltered = words.map(Self.quoted).joined(separator: " ")
    words += request.coverage.gates.flatMap { ["--gate", $0.rule] }
    words += request.coverage.exclude.flatMap { ["--coverage-exclude", $0] }
    // Tests may end otherwise when they are mapped. What else is asked of a report changes no outcome.
    if request.coverage.map { words.append("--map") }
    if request.coverage.gates.contains(.noUncheckedChanges) { words += ["--mutants", request.mutants.rawValue] }
    words += request.tests.filter.flatMap { ["--filter", $0] } + request.tests.skip.flatMap { ["--skip", $0] }
    if request.tests.retries > 0 { words += ["--retries", "\(request.tests.retries)"] }
    if request.tests.isolation { words.append("--isolation") }
    text = words.map(Self.quoted).joined(separator: " ")
  }

  /// Returns the command that has the watcher integrate the commit again, by the settings and the history of the bot.
  static func rerun(_ place: IntegrationRequest.Place) -> String {
    "martlet rerun \(quoted("\(place.bot)/\(place.number)"))"
  }

  /// Returns a command of SwiftPM's with what decides how the sources are compiled.
  private static func line(_ request: IntegrationRequest, _ command: [String]) -> String {
    let environment = request.sanitizerEnvironment.merging(request.environment) { $1 }
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let words =
      (variables.isEmpty ? [] : ["env"] + variables) + command
      + (request.buildSystem.map { ["--build-system", $0.rawValue] } ?? [])
      + request.configurationArguments + request.sanitizerArguments + request.arguments
    return words.map(quoted).joined(separator: " ")
  }

  /// Returns how the destinations are built; nil if options cannot express that.
  private static func buildOptions(_ request: IntegrationRequest, and others: [Destination]) -> [String]? {
    let all = [request] + others.map(request.going)
    let options =
      [
        ("--toolchain", all.map(\.toolchain)), ("--configuration", all.map(\.configuration)),
        ("--sanitize", all.map { $0.sanitize.first?.rawValue ?? "none" }),
        ("--build-system", all.map { $0.buildSystem?.rawValue }),
        ("--traits", all.map { $0.way.traits.map { $0.isEmpty ? "none" : $0.joined(separator: ",") } }),
      ] as [(String, [String?])]
    let distinct = options.map { name, values in
      (name, values.enumerated().filter { index, value in !values[..<index].contains(value) }.map(\.element))
    }
    guard distinct.reduce(1, { $0 * $1.1.count }) == all.count else { return nil }
    let told = distinct.flatMap { name, values in
      let usual = ["--configuration": "debug", "--sanitize": "none"][name]
      guard values.count > 1 || values.first != .some(usual) else { return [String]() }
      return values.compactMap(\.self).flatMap { [name, $0] }
    }
    let optional = all.map(\.way).filter { !$0.isRequired }.map(\.name)
    return told + (all.count > 1 && request.destinations?.coverage == .merged ? ["--merge-coverage"] : [])
      + optional.flatMap { ["--optional", $0] }
  }

  /// Quotes a word so that a shell reads it back unchanged.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_./=:,@+".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    let escaped = word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    return "'\(escaped)'"
  }
}
