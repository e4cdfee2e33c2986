extension TemplateRenderer {
  /// Finds a value: its first name from the innermost context outwards, the rest step by step below it.
  ///
  /// What lies below a missing value is missing too. In lenient mode, so is all that cannot be found.
  func lookUp(_ path: Template.Path) throws(TemplateError) -> TemplateValue {
    guard let first = path.names.first else { return contexts[contexts.count - 1] }
    guard var value = lookUp(first) else {
      if mode == .lenient { return .missing }
      throw unknown(first, path)
    }
    guard path.names.count > 1 else { return value }
    for (index, name) in path.names.enumerated().dropFirst() {
      switch value {
      case .missing: return .missing
      case .record(let record):
        if let below = record[name] {
          value = below
          continue
        }
        if mode == .lenient { return .missing }
        let owner = path.names[..<index].joined(separator: ".")
        throw failure(
          at: path.offset, "\"\(owner)\" has nothing called \"\(name)\"",
          advice: KnownNames("Known here", record.keys).advice(for: name))
      default:
        if mode == .lenient { return .missing }
        let owner = path.names[..<index].joined(separator: ".")
        throw failure(
          at: path.offset, "\"\(owner)\" is \(value.kind) and has nothing called \"\(name)\"",
          advice: "Use \"\(owner)\" itself, or make it a record.")
      }
    }
    return value
  }

  private func lookUp(_ name: String) -> TemplateValue? {
    var index = contexts.count
    while index > 0 {
      index -= 1
      if case .record(let record) = contexts[index], let value = record[name] { return value }
    }
    return nil
  }

  private func unknown(_ name: String, _ path: Template.Path) -> TemplateError {
    var known: Set<String> = []
    for case .record(let record) in contexts { known.formUnion(record.keys) }
    return failure(
      at: path.offset, "nothing in the data is called \"\(name)\"",
      advice: KnownNames("Known here", known).advice(for: name))
  }

  /// An error at a place of the template that runs now.
  func failure(at offset: Int, _ reason: String, advice: String) -> TemplateError {
    let inclusions = calls.reversed().map { call in
      let place = TemplateError.Position(offset: call.offset, in: call.template.bytes)
      return "\(call.template.origin):\(place.line):\(place.column)"
    }
    return TemplateError(
      file: template.origin, position: TemplateError.Position(offset: offset, in: template.bytes),
      inclusions: inclusions, reason: reason, advice: advice)
  }
}
