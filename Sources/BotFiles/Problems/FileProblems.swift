/// Collects what is wrong with one file while it is read; stays in the call that made it.
final class FileProblems {
  let file: String
  let source: SourceText
  private var found: [(offset: Int, isSecret: Bool, message: String)] = []

  init(file: String, _ source: SourceText) {
    self.file = file
    self.source = source
  }

  var isEmpty: Bool { found.isEmpty }

  /// Notes a problem at a place counted in Unicode scalars; of more than a person reads, those found later are dropped.
  ///
  /// - Parameter isSecret: whether the line is not to be shown.
  func add(at offset: Int, isSecret: Bool = false, _ message: @autoclosure () -> String) {
    if found.count < 100 { found.append((offset, isSecret, message())) }
  }

  func line(of offset: Int) -> Int { source.position(of: offset).line }

  /// By position; of very many the first.
  var problems: [FileProblem] {
    let most = 50
    let sorted = found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
    return sorted.prefix(most).map { _, problem in
      var place = FileProblem.Place(problem.offset, in: source)
      if problem.isSecret { place.excerpt = "" }
      return FileProblem(file: file, place: place, message: problem.message)
    }
  }
}
