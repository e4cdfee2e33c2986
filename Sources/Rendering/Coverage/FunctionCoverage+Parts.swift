import Model

extension FunctionCoverage {
  /// Returns the parts of a function that were never called, such as `1 of 2 closures never called`; nil if there are
  /// none.
  /// - Parameters:
  ///   - areCallsKnown: whether a count of zero proves that there were no calls.
  ///   - isImplied: whether the function itself was never called, so that there is only to say what parts it has, such as
  ///     `with 1 closure`.
  static func partWords(of folded: [Folded], areCallsKnown: Bool = true, isImplied: Bool = false) -> String? {
    // True of nearly every function.
    guard folded.contains(where: { $0.count == 0 }) else { return nil }
    var words: [String] = []
    func add(_ kind: Folded.Kind, _ name: String, _ verb: String) {
      let parts = folded.filter { $0.kind == kind }
      let uncalled = parts.count { $0.count == 0 }
      guard uncalled > 0 else { return }
      guard !isImplied else { return words.append(CountText.counted(uncalled, name)) }
      let count = CountText.counted(parts.count, name)
      let share = uncalled < parts.count ? "\(CountText.plain(uncalled)) of " : ""
      words.append("\(share)\(count) \(areCallsKnown ? "never \(verb)" : "without a counted call")")
    }
    add(.closure, "closure", "called")
    add(.defaultArgument, "default argument", "used")
    add(.initialValue, "initial value", "used")
    var accessors: [String] = []
    for part in folded {
      if case .accessor(let name) = part.kind, part.count == 0, !accessors.contains(name) { accessors.append(name) }
    }
    if !accessors.isEmpty { words.append(CountText.list(accessors) + (isImplied ? "" : " never called")) }
    return words.isEmpty ? nil : (isImplied ? "with " : "") + words.joined(separator: ", ")
  }
}

extension FileCoverage {
  /// The number of functions and of the parts folded into them, which together make up the compiler's count.
  var functionWords: String {
    let (own, parts, part) = functionCounts
    if parts == 0 { return CountText.counted(own, "function") }
    let folded = CountText.counted(parts, part)
    return own == 0 ? folded : "\(CountText.counted(own, "function")) and \(folded)"
  }

  /// The same as one number, of which some were never called: `9 functions and closures`.
  var functionSum: String {
    let (own, parts, part) = functionCounts
    guard own > 0, parts > 0 else { return functionWords }
    return "\(CountText.plain(own + parts)) functions and \(part)s"
  }

  /// The number of functions, of the parts folded into them, and what such a part is called.
  fileprivate var functionCounts: (own: Int, parts: Int, part: String) {
    // Of an uncounted source only the sums are known.
    if functions.isEmpty { return (totals.functions.total, 0, "part") }
    let parts = functions.flatMap(\.folded)
    return (
      functions.count { !$0.isOnlyFolded }, parts.count,
      parts.allSatisfy { $0.kind == .closure } ? "closure" : "part"
    )
  }
}

extension Coverage {
  /// The number of all functions, in the words of the pages of the files.
  var functionSum: String {
    let counts = files.map(\.functionCounts).filter { $0.parts > 0 }
    let all = totals.functions.total
    guard let part = counts.first?.part else { return CountText.counted(all, "function") }
    let isOneKind = counts.allSatisfy { $0.part == part }
    return "\(CountText.plain(all)) functions and \(isOneKind ? part : "part")s"
  }
}
