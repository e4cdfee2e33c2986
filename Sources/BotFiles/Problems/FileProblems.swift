/// The problems found in a file while it is read. Must not outlive the call that creates it.
final class FileProblems {
  let file: String
  let source: SourceText
  private var found: [(offset: Int, isSecret: Bool, message: String)] = []

  init(file: String, _ source: SourceText) {
    self.file = file
    self.source = source
  }

  var isEmpty: Bool { found.isEmpty }

  /// Records a problem at a position in Unicode scalars. Beyond what a person would read, later ones are dropped.
  ///
  /// - Parameter isSecret: Whether the line must not be shown.
  func add(at offset: Int, isSecret: Bool = false, _ message: @autoclosure () -> String) {
    if found.count < 100 { found.append((offset, isSecret, message())) }
  }

  func line(of offset: Int) -> Int { source.position(of: offset).line }

  /// The problems by position; if there are very many, only the first.
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
