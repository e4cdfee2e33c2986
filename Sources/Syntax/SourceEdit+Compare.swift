package import Model

extension SourceEdit {
  /// Compares two versions of a Swift source.
  ///
  /// What is not surely the body of a function counts as a declaration. That of a function which the compiler copies
  /// into its callers, as it may for `@inlinable`, is none: the copies have the function's own counters.
  package init(from old: SourceCode, to new: SourceCode) {
    guard old.isSwift, new.isSwift, old.isWhole, new.isWhole else {
      self = .declarations(line: 1)
      return
    }
    let (before, after) = (SourceOutline(old), SourceOutline(new))
    if let index = before.firstDifference(from: after) {
      self = .declarations(line: before.line(ofDeclaration: index))
      return
    }
    var (changed, moved): ([Function], [Function]) = ([], [])
    for (before, after) in zip(before.bodies, after.bodies) {
      var function = before.function
      if !old.isAlike(before.tokens, to: new, after.tokens) {
        function.words = old.words(in: before.tokens).union(new.words(in: after.tokens))
        changed.append(function)
      } else if function.body != after.function.body {
        moved.append(function)
      }
    }
    self = .bodies(changed, moved: moved)
  }
}
