extension Collection {
  /// The collection, or nil if it is empty.
  @inlinable package var nonEmpty: Self? { isEmpty ? nil : self }
}
