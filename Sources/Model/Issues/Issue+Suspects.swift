extension Issue {
  /// Those for whom most speaks, several where as much speaks for each; they are told of the issue.
  package var leadingSuspects: [Suspect] {
    suspects.filter { $0.confidence == suspects.first?.confidence }
  }
}
