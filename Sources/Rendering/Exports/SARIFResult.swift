import FoundationEssentials
import Model

struct SARIFResult {
  private let finding: ExportedFinding
  private let kinds: [Issue.Kind]
  private let document: IntegrationRecord

  init(_ finding: ExportedFinding, kinds: [Issue.Kind], document: IntegrationRecord) {
    self.finding = finding
    self.kinds = kinds
    self.document = document
  }

  var json: JSONValue {
    let test = (finding.test?.description ?? finding.optionalDestination).map { "\($0): " } ?? ""
    return .object([
      "ruleId": .text(finding.kind.rawValue),
      "ruleIndex": kinds.firstIndex(of: finding.kind).map { .integer($0) },
      "level": .text(finding.level.rawValue),
      "message": .object(["text": .text(Self.plain(test + FailureText.shown(finding.message)))]),
      "locations": .list([location]),
      "partialFingerprints": .object(["martletIssue/v1": .text(fingerprint)]),
      "baselineState": document.baseline == nil
        ? nil : .text(finding.status == .new ? "new" : "unchanged"),
      "suppressions": finding.status == .silenced ? .list([.object(["kind": .text("external")])]) : nil,
    ])
  }

  private var fingerprint: String {
    finding.ordinal == 0 ? finding.id : "\(finding.id)/\(finding.ordinal)"
  }

  /// The place of the finding. If it has none, like a linker error, it belongs to the package as a whole, represented
  /// by the manifest, because GitHub rejects results without a place.
  private var location: JSONValue {
    guard let file = finding.file else {
      return Self.location(document.repositoryPath("Package.swift"), line: 1, column: nil)
    }
    return Self.location(file, line: finding.line, column: finding.column)
  }

  static func location(_ file: String, line: Int?, column: Int?) -> JSONValue {
    let isOutside = file.hasPrefix("/")
    let region = line.flatMap { line -> JSONValue? in
      guard line > 0 else { return nil }
      return .object([
        "startLine": .integer(line), "startColumn": column.flatMap { $0 > 0 ? .integer($0) : nil },
      ])
    }
    return .object([
      "physicalLocation": .object([
        "artifactLocation": .object([
          "uri": .text(uri(file)), "uriBaseId": isOutside ? nil : .text(SARIFExport.sourceRoot),
        ]),
        "region": region,
      ])
    ])
  }

  /// Returns a message whose brackets are escaped if they would form a link; other messages are more readable without
  /// escapes.
  ///
  /// https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html#_Toc34317456
  static func plain(_ text: String) -> String {
    let text = VisibleText.of(text)
    guard text.contains("](") else { return text }
    var escaped = ""
    for character in text {
      if "\\[]".contains(character) { escaped += "\\" }
      escaped.append(character)
    }
    return escaped
  }

  /// Returns a path as a URI reference, with a scheme if it is absolute: https://www.rfc-editor.org/rfc/rfc3986
  static func uri(_ path: String) -> String {
    var result = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        || "-._~/".unicodeScalars.contains(scalar)
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}

extension SARIFExport {
  /// Returns an instant in UTC, such as `2026-11-20T08:12:05Z`.
  static func instant(_ date: Date) -> String {
    String(LocalTime.utc.machine(of: date).dropLast("+00:00".count)) + "Z"
  }
}
