extension Duration {
  /// The duration in seconds.
  package var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
