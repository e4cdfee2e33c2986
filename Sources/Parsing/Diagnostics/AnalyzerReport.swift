import FoundationEssentials
package import Model
import Syntax

/// A reader of the output of analyzers and linters: a SARIF document, or lines such as
/// `file:line:column: warning: text`.
package struct AnalyzerReport {
  /// The largest document to read, in bytes.
  private static let longestDocument = 64 << 20

  private let relativise: @Sendable (String) -> String?
  private var lines: BuildLog
  private var document: [UInt8] = []
  /// Whether the output is an unreadable SARIF document, whose findings are therefore unknown; set by `finish()`.
  package private(set) var isDamaged = false

  /// - Parameter relativise: returns the path relative to the package for an absolute path; nil for a path outside.
  package init(relativise: @escaping @Sendable (String) -> String?) {
    self.relativise = relativise
    lines = BuildLog(relativise: relativise)
  }

  /// Adds the next bytes of output; only standard output can contain a document.
  package mutating func append(_ bytes: some Collection<UInt8>, from stream: ProcessStream) {
    lines.append(bytes, from: stream)
    if stream == .standardOutput, document.count <= Self.longestDocument { document += bytes }
  }

  /// Ends the output, and returns its findings as warnings, each once.
  package mutating func finish() -> [Diagnostic] {
    let printed = lines.finish()
    let known = findings(of: document)
    isDamaged = known == nil && isObject && document[...].firstRange(ofBytes: Array(#""runs""#.utf8)) != nil
    let found = known ?? printed.filter { $0.severity != .remark }
    var seen: Set<Diagnostic> = []
    return found.map(normalized).filter { seen.insert($0).inserted }
  }

  private func normalized(_ finding: Diagnostic) -> Diagnostic {
    var finding = finding
    finding.severity = .warning
    guard let file = finding.location?.file else { return finding }
    let own = relativise(file) ?? file
    finding.location?.file = own.hasPrefix("./") ? String(own.dropFirst(2)) : own
    return finding
  }

  /// Returns the findings in a SARIF document; nil if the bytes are not one.
  private func findings(of document: [UInt8]) -> [Diagnostic]? {
    guard isObject, let log = try? JSONDecoder().decode(SARIFLog.self, from: Data(document)) else { return nil }
    return log.runs.flatMap { run in (run.results ?? []).compactMap { $0.diagnostic(of: run) } }
  }

  /// Whether the standard output begins like a JSON object.
  private var isObject: Bool {
    document.first { !$0.isSpace } == UInt8(ascii: "{")
  }
}

/// The parts of SARIF that describe a finding (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
private struct SARIFLog: Decodable {
  struct Run: Decodable {
    var tool: Tool?
    var results: [Result]?
  }

  struct Tool: Decodable {
    var driver: Driver?
  }

  struct Driver: Decodable {
    var rules: [Rule]?
  }

  struct Rule: Decodable {
    var id: String?
    var defaultConfiguration: Configuration?
  }

  struct Configuration: Decodable {
    var level: String?
  }

  struct Result: Decodable {
    var ruleId: String?
    var ruleIndex: Int?
    var level: String?
    var kind: String?
    var message: Message
    var locations: [Location]?
    var suppressions: [Suppression]?
  }

  struct Message: Decodable {
    var text: String?
  }

  struct Suppression: Decodable {
    var status: String?
  }

  struct Location: Decodable {
    var physicalLocation: Place?
  }

  struct Place: Decodable {
    var artifactLocation: Artifact?
    var region: Region?
  }

  struct Artifact: Decodable {
    var uri: String?
  }

  struct Region: Decodable {
    var startLine: Int?
    var startColumn: Int?
  }

  var runs: [Run]
}

extension SARIFLog.Result {
  /// Returns the finding; nil if it is only a remark, was suppressed, or is not a failure.
  fileprivate func diagnostic(of run: SARIFLog.Run) -> Diagnostic? {
    let level = level ?? rule(of: run)?.defaultConfiguration?.level ?? "warning"
    guard ["warning", "error"].contains(level), !isSuppressed, kind ?? "fail" == "fail" else { return nil }
    let words = message.text ?? "no message"
    return Diagnostic(
      severity: .warning, message: ruleId.map { "[\($0)] \(words)" } ?? words,
      location: locations?.lazy.compactMap { $0.physicalLocation?.location }.first)
  }

  /// Returns the violated rule, which supplies the level if the result has none.
  private func rule(of run: SARIFLog.Run) -> SARIFLog.Rule? {
    let rules = run.tool?.driver?.rules ?? []
    if let ruleIndex, rules.indices.contains(ruleIndex) { return rules[ruleIndex] }
    return rules.first { $0.id != nil && $0.id == ruleId }
  }

  /// Whether all requests to suppress the result were accepted; one that is under review or rejected has no effect.
  private var isSuppressed: Bool {
    guard let suppressions, !suppressions.isEmpty else { return false }
    return suppressions.allSatisfy { $0.status ?? "accepted" == "accepted" }
  }
}

extension SARIFLog.Place {
  var location: SourceLocation? {
    guard let uri = artifactLocation?.uri, let line = region?.startLine, line > 0 else { return nil }
    let path = uri.hasPrefix("file://") ? String(uri.dropFirst("file://".count)) : uri
    let column = region?.startColumn.flatMap { $0 > 0 ? $0 : nil }
    return SourceLocation(file: Self.decoded(path), line: line, column: column)
  }

  /// Decodes the percent-encoding in a URI's path, leaving invalid sequences as they are.
  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.allSatisfy(\.isHexDigit), let code = UInt8(digits, radix: 16),
        digits.utf8.count == 2
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
