import Model

extension Field {
  /// `off` for no hint at all, or a mapping with the hints that are not wanted.
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
