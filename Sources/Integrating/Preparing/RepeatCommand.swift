import Model

/// The command that does an integration again, quoted for a shell.
struct RepeatCommand {
  let text: String
  /// The command without the choice of tests.
  let unfiltered: String

  init(_ request: IntegrationRequest, target: Target, repository: String) {
    var words = ["martlet", "run", repository]
    words += target.includesWorkingTree ? ["--working-tree"] : ["--commit", target.commit.short]
    if target.package != "." { words += ["--package", target.package] }
    if request.configuration != "debug" { words += ["--configuration", request.configuration] }
    if let system = request.build.system { words += ["--build-system", system.rawValue] }
    if request.sandbox.mode != .auto { words += ["--sandbox", request.sandbox.mode.rawValue] }
    words += request.gates.flatMap { ["--gate", $0.rule] }
    words += request.coverageExclude.flatMap { ["--coverage-exclude", $0] }
    if request.marksIncidental { words.append("--incidental") }
    if request.showsOrigins { words.append("--blame") }
    unfiltered = words.map(Self.quoted).joined(separator: " ")
    words += request.filter.flatMap { ["--filter", $0] } + request.skip.flatMap { ["--skip", $0] }
    if request.retries > 0 { words += ["--retries", "\(request.retries)"] }
    if request.isolation { words.append("--isolation") }
    text = words.map(Self.quoted).joined(separator: " ")
  }

  /// A word as a shell reads it back.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-_./=:,@+".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    let escaped = word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    return "'\(escaped)'"
  }
}
