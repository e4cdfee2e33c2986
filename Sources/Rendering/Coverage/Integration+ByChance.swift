import Model

extension Integration {
  /// Returns how many lost and gained lines run by chance, in one file or in all; none where nothing is compared.
  func byChance(in path: String? = nil) -> CategoryCounts {
    guard let comparison = changes?.comparison.value else { return CategoryCounts() }
    return path.map { comparison.file(at: $0)?.countsByChance ?? CategoryCounts() } ?? comparison.byChance
  }
}
