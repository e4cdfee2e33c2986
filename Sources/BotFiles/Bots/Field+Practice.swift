import Model

extension Field {
  /// Reads `off` to disable all hints, or a mapping with the hints to disable.
  func practice(_ base: Bot.Practice) -> Bot.Practice? {
    var practice = base
    if isWord("off") {
      practice.off = PracticeHint.Name.allCases
      return practice
    }
    guard isMapping, let fields = fields("{off: [fast]}") else {
      return expected("off or a mapping such as {off: [fast, names]}")
    }
    fields.take("off", into: &practice.off) { $0.list("[fast, names]") { $0.choice() } }
    fields.finish()
    return practice
  }
}
