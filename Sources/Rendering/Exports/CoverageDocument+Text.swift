import Model

extension CoverageDocument {
  /// The document as JSON, a file to a line.
  package var text: String {
    let totals = totals
    let figures = isAvailable ? totals : nil
    return JSONText.of(
      .object([
        "schema": .text(Self.schemaName),
        "bot": .text(bot),
        "number": .integer(number),
        "commit": .text(commit.rawValue),
        "package": .text(package),
        "available": .bool(isAvailable),
        "complete": .bool(isComplete),
        "reason": reason.map { .text($0) },
        "lines": figures.map { $0.lines.json },
        "regions": figures.map { $0.regions.json },
        "functions": figures.map { $0.functions.json },
        "branches": figures.flatMap { $0.branches?.json },
        "files": isAvailable ? .list(files.map(\.json)) : nil,
        "setAside": setAside.isEmpty ? nil : .list(setAside.map(\.json)),
      ]), openLevels: 2)
  }
}

extension CoverageDocument.File {
  fileprivate var json: JSONValue {
    .object([
      "path": .text(path),
      "target": .text(target),
      "lines": totals.lines.json,
      "regions": totals.regions.json,
      "functions": totals.functions.json,
      "branches": totals.branches?.json,
      "hits": .list(lines.map { .list([.integer($0.line), .count($0.count)]) }),
      "partlyRan": .list(lines.filter { $0.state == .partlyRan }.map { .integer($0.line) }),
      "calls": .list(
        functions.map { function in
          .object([
            "name": .text(function.name), "line": .integer(function.line), "count": .count(function.count),
            "spans": .list(function.regions.map(\.json)),
          ])
        }),
      "conditions": conditions.isEmpty ? nil : .list(conditions.map(\.json)),
    ])
  }
}

extension ConditionCoverage {
  /// Line and column of its start, line and column behind its end, and how often it was true and false.
  fileprivate var json: JSONValue {
    .list([
      .integer(start.line), .integer(start.column), .integer(end.line), .integer(end.column), .count(trueCount),
      .count(falseCount),
    ])
  }
}

extension CoverageRegion {
  /// Line and column of its start, line and column behind its end, and how often it ran.
  fileprivate var json: JSONValue {
    .list([
      .integer(start.line), .integer(start.column), .integer(end.line), .integer(end.column), .count(count),
    ])
  }
}

extension LineTally {
  fileprivate var json: JSONValue {
    .object(["total": .integer(total), "covered": .integer(covered), "partial": .integer(partial)])
  }
}

extension Tally {
  fileprivate var json: JSONValue { .object(["total": .integer(total), "covered": .integer(covered)]) }
}
