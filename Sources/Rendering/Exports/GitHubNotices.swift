import Model

/// GitHub notices about lines of a change that never ran: lost lines first, then lines that are now left out, then
/// changed lines, then changed functions and conditions that no test checks.
struct GitHubNotices {
  /// The maximum number of notices that GitHub shows per step: https://docs.github.com/en/rest/checks/runs
  private static let most = 10
  /// The maximum number of files that a notice names.
  private static let mostFiles = 3

  /// Places with the same message.
  private struct Group {
    var title: String
    var places: [LinePlaces.Place]
    /// The message for one place.
    var words: (LinePlaces.Place) -> String
    /// The message for the lines of all places without a notice.
    var rest: (Int) -> String
  }

  /// The groups with places, most serious first.
  private let groups: [Group]
  /// Notices of changed lines that are left out, or that do not count: one of each kind.
  private let leftOut: [String]
  private let file: (String) -> String

  /// - Parameters:
  ///   - summary: the effect of the change on the coverage; nil if it is unknown.
  ///   - unchecked: changed functions and conditions that ran but that no test checks.
  ///   - isFirst: whether the commit has no parent, so that every line of it is new.
  ///   - file: converts a path of the package to the value of a property.
  ///   - name: converts a path of the package to one relative to the repository, unescaped.
  init(
    _ summary: ChangeSummary?, unchecked: [IntegrationRecord.UncheckedSubject], isFirst: Bool,
    file: @escaping (String) -> String, name: (String) -> String
  ) {
    self.file = file
    let changes = summary.map { Self.groups($0, isFirst: isFirst) } ?? []
    let (conditions, functions) = (unchecked.filter(\.isCondition), unchecked.filter { !$0.isCondition })
    groups = (changes + [Self.unchecked(functions, "function"), Self.unchecked(conditions, "condition")]).filter {
      !$0.places.isEmpty
    }
    leftOut = summary.map { Self.leftOut($0, name) } ?? []
  }

  private static func leftOut(_ summary: ChangeSummary, _ name: (String) -> String) -> [String] {
    let hidden = summary.patchLeftOut(first: Self.mostFiles, name).map {
      "::notice title=coverage left out::\(GitHubExport.data($0.capitalizedFirst)) are left out of the coverage."
    }
    let uncounted = summary.uncountedFiles.clauses(first: Self.mostFiles, name).map {
      "::notice title=not counted::\(GitHubExport.data($0.capitalizedFirst))."
    }
    return [hidden].compactMap(\.self) + uncounted
  }

  private static func groups(_ summary: ChangeSummary, isFirst: Bool) -> [Group] {
    let uncovered = Split(summary.uncovered)
    let changed: [Group] = isFirst ? [] : [neverRan(uncovered.sources), notCounted(uncovered.headers)]
    let losses = lost(summary.lost, areParts: false) + lost(summary.lostParts, areParts: true)
    return losses + [leftOut(summary.hidden)] + changed
  }

  /// Places in C headers, which may have had uncounted runs, and all other places.
  private struct Split {
    let headers: [LinePlaces.Place]
    let sources: [LinePlaces.Place]

    init(_ lines: LinePlaces) {
      headers = lines.places.filter { SourceSuffix.isHeader($0.path) }
      sources = lines.places.filter { !SourceSuffix.isHeader($0.path) }
    }
  }

  /// - Parameter areParts: whether the lines still run, but for a part of each.
  private static func lost(_ lines: LinePlaces, areParts: Bool) -> [Group] {
    let split = Split(lines)
    let kinds = [(split.sources, "", "did not"), (split.headers, "of headers ", "had no counted run")]
    return kinds.map { places, whose, verb in
      Group(title: "coverage lost", places: places) { place in
        let count = place.lines.count
        let whole = count == 1 ? "This line" : "These \(count) lines"
        let part = "A part of \(count == 1 ? "this line" : "each of these \(count) lines")"
        return "\(areParts ? part : whole) ran before, and \(verb) this time."
      } rest: {
        "\(areParts ? "parts of " : "")\(CountText.counted($0, "more line")) \(whose)that ran before \(verb) this time"
      }
    }
  }

  private static func leftOut(_ remarks: [LeftOutLines.Remark]) -> Group {
    Group(title: "coverage left out", places: remarks.flatMap(\.places.places)) {
      "What counted \($0.lines.count == 1 ? "in this line" : "in these \($0.lines.count) lines") before is left out of the coverage now."
    } rest: {
      "\(CountText.counted($0, "more line")) that counted before \(CountText.agreeing($0, "is", "are")) left out now"
    }
  }

  private static func notCounted(_ places: [LinePlaces.Place]) -> Group {
    Group(title: "no counted run", places: places) {
      "\($0.lines.count == 1 ? "This changed line has" : "These \($0.lines.count) changed lines have") no counted run; calls of headers from "
        + "Swift are not all counted."
    } rest: {
      "\(CountText.counted($0, "more changed line")) of headers \(CountText.agreeing($0, "has", "have")) no counted run"
    }
  }

  private static func neverRan(_ places: [LinePlaces.Place]) -> Group {
    Group(title: "never ran", places: places) {
      $0.lines.count == 1 ? "This changed line never ran." : "These \($0.lines.count) changed lines never ran."
    } rest: {
      "\(CountText.counted($0, "more changed line")) never ran"
    }
  }

  private static func unchecked(_ subjects: [IntegrationRecord.UncheckedSubject], _ noun: String) -> Group {
    // Several may begin on one line.
    let clauses = Dictionary(grouping: subjects) { SourceLocation(file: $0.path, line: $0.line) }.mapValues {
      $0.map { "\(MutantWords.name($0.name, $0.bodies)): \(MutantWords.clause($0.bodies, tests: $0.tests))." }
        .joined(separator: "\n")
    }
    let places = clauses.keys.sorted { ($0.file, $0.line) < ($1.file, $1.line) }.map {
      LinePlaces.Place(path: $0.file, lines: $0.line...$0.line)
    }
    return Group(title: "not checked", places: places) {
      GitHubExport.data(clauses[SourceLocation(file: $0.path, line: $0.lines.lowerBound), default: ""])
    } rest: {
      "\(CountText.counted($0, "more changed \(noun) is", "more changed \(noun)s are")) not checked"
    }
  }

  /// The commands; if there are more places than GitHub shows, the last one counts the rest by kind.
  var lines: [String] {
    let shares = shares
    let told = zip(groups, shares).flatMap { group, share in group.places.prefix(share).map { notice(group, $0) } }
    let rest = zip(groups, shares).compactMap { group, share -> String? in
      let left = group.places.dropFirst(share).reduce(0) { $0 + $1.lines.count }
      return left > 0 ? group.rest(left) : nil
    }
    guard !rest.isEmpty else { return told + leftOut }
    return told + leftOut + ["::notice title=coverage of the change::\(rest.joined(separator: "; ").capitalizedFirst)."]
  }

  /// The number of places of each group with a notice: all, or as many as there is room for, taking one of each group
  /// in turn.
  private var shares: [Int] {
    let sizes = groups.map(\.places.count)
    guard sizes.reduce(0, +) > Self.most - leftOut.count else { return sizes }
    var shares = sizes.map { _ in 0 }
    var room = Self.most - leftOut.count - 1
    while room > 0 {
      for index in shares.indices where room > 0 && shares[index] < sizes[index] {
        shares[index] += 1
        room -= 1
      }
    }
    return shares
  }

  private func notice(_ group: Group, _ place: LinePlaces.Place) -> String {
    let range = place.lines.count == 1 ? "" : ",endLine=\(place.lines.upperBound)"
    return "::notice file=\(file(place.path)),line=\(place.lines.lowerBound)\(range),title=\(group.title)"
      + "::\(group.words(place))"
  }
}
