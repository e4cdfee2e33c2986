import Model

extension FunctionCoverage {
  /// Returns the parts of a function that were never called, such as `1 of 2 closures never called`; nil if there are
  /// none.
  /// - Parameter areCallsKnown: whether a count of zero proves that there were no calls.
  static func partWords(of folded: [Folded], areCallsKnown: Bool = true) -> String? {
    // True of nearly every function.
    guard folded.contains(where: { $0.count == 0 }) else { return nil }
    var words: [String] = []
    func add(_ kind: Folded.Kind, _ name: String, _ verb: String) {
      let parts = folded.filter { $0.kind == kind }
      let uncalled = parts.count { $0.count == 0 }
      guard uncalled > 0 else { return }
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
    if !accessors.isEmpty { words.append("\(CountText.list(accessors)) never called") }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension FileCoverage {
  /// The number of functions and of the parts folded into them, which together make up the compiler's count.
  var functionWords: String {
    // Of an uncounted source only the sums are known.
    if functions.isEmpty { return CountText.counted(totals.functions.total, "function") }
    let own = functions.count { !$0.isOnlyFolded }
    var closures = 0
    var all = 0
    for part in functions.lazy.flatMap(\.folded) {
      all += 1
      if part.kind == .closure { closures += 1 }
    }
    let parts = CountText.counted(all, closures == all ? "closure" : "part")
    if all == 0 { return CountText.counted(own, "function") }
    return own == 0 ? parts : "\(CountText.counted(own, "function")) and \(parts)"
  }
}
