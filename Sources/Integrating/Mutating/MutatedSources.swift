import Model
import Syntax

/// The sources of functions that are tried.
struct MutatedSources {
  private let byPath: [String: SourceCode]

  /// - Parameter text: returns a file; nil if it cannot be read.
  init(_ candidates: [MutationPlan.Candidate], _ text: (String) -> [UInt8]?) {
    byPath = Set(candidates.map(\.path)).reduce(into: [:]) { sources, path in
      sources[path] = text(path).map { SourceCode($0, in: .swift) }
    }
  }

  subscript(path: String) -> SourceCode? { byPath[path] }

  /// Whether a function holds conditions to try, of which no caller has a copy.
  func mayHaveConditions(_ candidate: MutationPlan.Candidate, _ scope: MutationScope) -> Bool {
    guard let source = self[candidate.path],
      let body = source.range(from: candidate.body.start, to: candidate.body.end),
      scope == .all || !candidate.touched.isEmpty, !source.importsTestLibrary
    else { return false }
    return text(of: candidate)?.isTransparent == false && !source.conditions(in: body).isEmpty
  }

  func text(of candidate: MutationPlan.Candidate) -> FunctionText? {
    self[candidate.path].flatMap { FunctionText(candidate.body, in: $0) }
  }
}
