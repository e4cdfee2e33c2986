import FoundationEssentials
import Model

/// Findings in the Static Analysis Results Interchange Format 2.1.0:
/// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
enum SARIFExport {
  static func text(_ document: IntegrationRecord) -> String {
    let findings = ExportedFinding.all(of: document)
    let found = Issue.Kind.allCases.filter { kind in findings.contains { $0.issue.kind == kind } }
    let results = findings.map { result(of: $0, kinds: found, in: document) }
    let told = Unchecked.allCases.filter { !$0.subjects(document.coverage).isEmpty }
    let unchecked = told.enumerated().flatMap { Self.results($1, document, ruleIndex: found.count + $0) }
    let rules =
      found.map { rule($0.rawValue, description(of: $0), level: $0.level.rawValue) }
      + told.map { rule($0.rawValue, $0.description, level: note) }
    return JSONText.of(
      .object([
        "$schema": .text(
          "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"),
        "version": .text("2.1.0"),
        "runs": .list([
          .object([
            "tool": .object([
              "driver": .object(["name": .text("Martlet"), "rules": .list(rules)])
            ]),
            "automationDetails": .object(["id": .text("\(document.bot)/\(document.number)")]),
            "invocations": .list([invocation(document)]),
            "versionControlProvenance": .list([provenance(document)]),
            "originalUriBaseIds": .object([
              sourceRoot: .object(["description": .object(["text": .text("The root of the repository.")])])
            ]),
            "results": .list(results + unchecked),
          ])
        ]),
      ]), openLevels: 6)
  }

  /// The name of the folder that paths are relative to.
  private static let sourceRoot = "SRCROOT"
  /// The level of what is no finding.
  private static let note = "note"

  private static func rule(_ id: String, _ description: String, level: String) -> JSONValue {
    .object([
      "id": .text(id),
      "shortDescription": .object(["text": .text(description)]),
      "defaultConfiguration": .object(["level": .text(level)]),
    ])
  }

  /// What is told of a change besides findings: each its name, the description of its rule, and what its fingerprint begins
  /// with.
  private enum Unchecked: String, CaseIterable {
    case function = "unchecked-function"
    case condition = "unchecked-condition"

    var description: String {
      switch self {
      case .function: "A function ran, and no test fails without its body."
      case .condition: "A condition ran, and no test fails with its opposite."
      }
    }

    var fingerprint: String {
      switch self {
      case .function: "martletFunction/v1"
      case .condition: "martletCondition/v1"
      }
    }

    func subjects(_ coverage: IntegrationRecord.CoverageSection) -> [IntegrationRecord.UncheckedSubject] {
      coverage.uncheckedChanges.filter { $0.isCondition == (self == .condition) }
    }
  }

  /// Returns the changed functions or conditions that ran but that no test checks.
  private static func results(_ kind: Unchecked, _ document: IntegrationRecord, ruleIndex: Int) -> [JSONValue] {
    var seen: [String: Int] = [:]
    return kind.subjects(document.coverage).map { subject in
      let name = "\(subject.path) \(subject.name)"
      // Overloads may share their name, and conditions their text.
      let ordinal = seen[name, default: 0]
      seen[name] = ordinal + 1
      let clause = MutantWords.clause(subject.bodies, tests: subject.tests)
      let sentence = "\(MutantWords.name(subject.name, subject.bodies)) is not checked: \(clause)."
      let file = document.repositoryPath(subject.path)
      return .object([
        "ruleId": .text(kind.rawValue), "ruleIndex": .integer(ruleIndex), "level": .text(note),
        "message": .object(["text": .text(plain(sentence))]),
        "locations": .list([location(file, line: subject.line, column: nil)]),
        "partialFingerprints": .object([kind.fingerprint: .text(ordinal == 0 ? name : "\(name)/\(ordinal)")]),
      ])
    }
  }

  private static func invocation(_ document: IntegrationRecord) -> JSONValue {
    let codes = document.reasonCodes ?? []
    let notifications = document.reasons.enumerated().map { index, reason in
      let isRemark = document.outcome.isGreen || index < codes.count && codes[index].isRemark
      return JSONValue.object([
        "level": .text(isRemark ? "warning" : "error"), "message": .object(["text": .text(reason)]),
      ])
    }
    return .object([
      "executionSuccessful": .bool(document.outcome.isConclusive && document.outcome != .incomplete),
      "exitCode": .integer(Int(document.outcome.exitCode)),
      "exitCodeDescription": .text(document.outcome.rawValue),
      "startTimeUtc": .text(instant(document.startedAt)),
      "endTimeUtc": .text(instant(document.endedAt)),
      "toolExecutionNotifications": notifications.isEmpty ? nil : .list(notifications),
    ])
  }

  private static func provenance(_ document: IntegrationRecord) -> JSONValue {
    .object([
      "repositoryUri": .text(repositoryURI(document.repository)),
      "revisionId": .text(document.commit.id.rawValue),
      "branch": document.branch.map { .text($0) },
      "revisionTag": document.tag.map { .text($0) },
    ])
  }

  /// Returns where the repository is, as a URI; git's short form of ssh, `git@host:path`, is none.
  private static func repositoryURI(_ repository: String) -> String {
    // What is no address is a path, which needs no reason.
    guard let address = try? RemoteAddress(repository) else { return uri(repository) }
    guard !address.text.contains("://") else { return address.text }
    let user = address.user.map { "\($0)@" } ?? ""
    let path = String(address.path.drop { $0 == "/" })
    return "ssh://\(user)\(address.host)/\(uri(path))"
  }

  private static func description(of kind: Issue.Kind) -> String {
    switch kind {
    case .error: "The compiler or the package manager reported an error."
    case .warning: "The compiler, the package manager or a test reported a warning."
    case .linkerError: "The linker reported an error."
    case .analyzerWarning: "The analyzer reported a warning."
    case .testFailure: "A test failed."
    case .crash: "The process ended while a test was running."
    case .timeOut: "A test took longer than it may."
    case .quit: "A test, or the set-up of its class, ended the process."
    case .sanitizer: "A sanitizer reported an error."
    case .gate: "A gate of the bot was not passed."
    case .triggerError: "A trigger failed."
    case .serviceError: "Martlet could not do its job."
    case .serviceWarning: "Something that Martlet relies on was missing."
    }
  }
}

extension SARIFExport {
  /// - Parameter kinds: those that have rules, in their order.
  private static func result(
    of finding: ExportedFinding, kinds: [Issue.Kind], in document: IntegrationRecord
  ) -> JSONValue {
    let issue = finding.issue
    let test = (issue.test?.description ?? finding.optionalDestination).map { "\($0): " } ?? ""
    let fingerprint = finding.ordinal == 0 ? issue.id : "\(issue.id)/\(finding.ordinal)"
    // Without a place, like a linker error, it belongs to the package as a whole, represented by the manifest, because
    // GitHub rejects results without a place.
    let place =
      finding.file.map { location($0, line: finding.line, column: finding.column) }
      ?? location(document.repositoryPath("Package.swift"), line: 1, column: nil)
    return .object([
      "ruleId": .text(issue.kind.rawValue),
      "ruleIndex": kinds.firstIndex(of: issue.kind).map { .integer($0) },
      "level": .text(finding.level.rawValue),
      "message": .object(["text": .text(plain(test + FailureText.shown(finding.message)))]),
      "locations": .list([place]),
      "partialFingerprints": .object(["martletIssue/v1": .text(fingerprint)]),
      "baselineState": document.baseline == nil
        ? nil : .text(issue.status == .new ? "new" : "unchanged"),
      "suppressions": issue.status == .silenced ? .list([.object(["kind": .text("external")])]) : nil,
    ])
  }

  private static func location(_ file: String, line: Int?, column: Int?) -> JSONValue {
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
          "uri": .text(uri(file)), "uriBaseId": isOutside ? nil : .text(sourceRoot),
        ]),
        "region": region,
      ])
    ])
  }

  /// Returns a message whose brackets are escaped if they would form a link; other messages are more readable without
  /// escapes.
  ///
  /// https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html#_Toc34317456
  private static func plain(_ text: String) -> String {
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
  private static func uri(_ path: String) -> String {
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

  /// Returns an instant in UTC, such as `2026-11-20T08:12:05Z`.
  static func instant(_ date: Date) -> String {
    String(LocalTime.utc.machine(of: date).dropLast("+00:00".count)) + "Z"
  }
}
