extension Duration {
  /// The duration in human-readable form: `2 h`, `10 min`, `1.5 s`.
  package var words: String {
    let seconds = inSeconds
    for (unit, length) in [("h", 3600.0), ("min", 60.0)] where seconds >= length {
      let number = seconds / length
      if number == number.rounded() { return "\(Int(number)) \(unit)" }
    }
    let tenths = (seconds * 10).rounded() / 10
    return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
  }
}
