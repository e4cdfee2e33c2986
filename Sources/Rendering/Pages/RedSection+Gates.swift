import Model

/// The rows of failed gates.
extension RedSection {
  /// The maximum number of line ranges that the row of a gate links to.
  private static let mostPlaces = 20
  /// The maximum number of functions that the row of a gate names.
  private static let mostFunctions = 3

  func issue(of gate: GateResult) -> Issue? {
    integration.issues.first { $0.gate == gate.rule && $0.status != .resolved }
  }

  func record(of gate: GateResult) -> TemplateValue {
    let issue = issue(of: gate)
    let lines = LinePlaces(gate.lines ?? [])
    let left = lines.lineCount(behind: Self.mostPlaces)
    return .record([
      "glyph": .text("failed"), "name": .text(gate.name.capitalizedFirst),
      "finding": .shown(gate.finding(beside: integration.baseline?.number)),
      "destination": whole === report ? .missing : .shown(ifAny: integration.destination?.name),
      "changeLink": gate.tellsPatch ? .text("\(root)coverage.html\(anchor(of: gate))") : .missing,
      "link": .text(
        issue.flatMap { whole.issueIndex.page(of: $0.id) } ?? (root.isEmpty ? "" : "\(root)index.html") + "#coverage"),
      "places": sources.links(to: lines, first: Self.mostPlaces, from: root),
      "more": left > 0 ? .text("and \(CountText.counted(left, "more \(gate.unit)"))") : .missing,
      "functions": functions(with: lines), "trace": whole.trace(of: issue, report.age(of: issue)),
    ])
  }

  /// Returns where the page of the coverage has the lines of a gate.
  private func anchor(of gate: GateResult) -> String {
    guard CoverageOverview.showsChanges(of: integration) else { return "" }
    let patch = integration.changes?.patch.value
    let isEarlier = patch.map { $0.neverRan.isEmpty && !gate.lines(earlierThan: $0).isEmpty } ?? false
    return isEarlier ? "#earlier" : "#change"
  }

  /// The functions that hold the lines of a gate; missing without any.
  private func functions(with lines: LinePlaces) -> TemplateValue {
    let files = Dictionary(
      (integration.coverage.coverage?.files ?? []).map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var seen: Set<SourceLocation> = []
    let functions = lines.places.flatMap { place in
      (files[place.path]?.functions(with: place.lines) ?? []).map { (place.path, $0) }
    }.filter { seen.insert(SourceLocation(file: $0, line: $1.line)).inserted }
    let left = functions.count - Self.mostFunctions
    guard let first = functions.first else { return .missing }
    let isUncalled = functions.allSatisfy { $0.1.count == 0 }
    // Their common type is told once.
    let types = Set(functions.map { FunctionShortName($0.1.name).type })
    let owner = isUncalled && functions.count > 1 && types.count == 1 ? FunctionShortName(first.1.name).type : nil
    // The figures of the coverage count them as well.
    let parts: [FunctionCoverage.Folded] = isUncalled ? functions.flatMap(\.1.folded).filter { $0.count == 0 } : []
    let part = parts.allSatisfy { $0.kind == .closure } ? "closure" : "part"
    let more = [
      left > 0 ? CountText.counted(left, "more function") : nil,
      parts.isEmpty ? nil : CountText.counted(parts.count, part),
    ].compactMap(\.self)
    return .record([
      "word": .text(isUncalled ? "never called\(owner.map { " in \($0)" } ?? ""):" : "in"),
      "entries": .list(
        functions.prefix(Self.mostFunctions).map { path, function in
          .record([
            "name": .shown(owner == nil ? function.name : FunctionShortName(function.name).text),
            // Where it begins with a place, that leads to it.
            "link": lines.places.contains { $0.path == path && $0.lines.lowerBound == function.line }
              ? .missing : .optional(sources.link(to: path, line: function.line).map { root + $0 }),
          ])
        }),
      "more": more.isEmpty ? .missing : .text("and \(CountText.list(more))"),
    ])
  }
}

extension Integration {
  /// The failed gates without those that are silenced.
  var countingFailedGates: [GateResult] {
    let silenced = Set(issues.filter { $0.kind == .gate && $0.status == .silenced }.compactMap(\.gate))
    return gates.filter { $0.state == .failed && !silenced.contains($0.rule) }
  }
}

extension FileCoverage {
  /// Returns the function around the first of some lines, and those that begin in them.
  fileprivate func functions(with lines: ClosedRange<Int>) -> [FunctionCoverage] {
    let around = functions.filter { $0.line < lines.lowerBound && $0.lastLine >= lines.lowerBound }
    return [around.max { $0.line < $1.line }].compactMap(\.self) + functions.filter { lines.contains($0.line) }
  }
}
