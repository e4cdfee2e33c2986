/// The arguments of a command, separated into options and operands.
struct ParsedArguments: Sendable {
  private var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// Parses the words according to the command's declarations, including `--name value`, `--name=value` and `--`.
  init(_ words: [String], for command: any Subcommand) throws(UsageError) {
    let help = "martlet help \(command.name)"
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = command.options.first(where: { $0.name == parts[0] }) else {
        throw .unknown("option", parts[0], among: command.options.map(\.name), help: help)
      }
      try add(option, attached: parts.count > 1 ? parts[1] : nil, following: &rest, help: help)
    }
    if let limit = command.operandLimit, operands.count > limit {
      throw UsageError("unexpected argument '\(operands[limit])'. See '\(help)'.")
    }
  }

  private mutating func add(_ option: Option, attached: String?, following: inout ArraySlice<String>, help: String)
    throws(UsageError)
  {
    guard let placeholder = option.value else {
      if let attached {
        throw UsageError("'\(option.name)' takes no value, but was given '\(attached)'. See '\(help)'.")
      }
      values[option.name] = [""]
      return
    }
    guard let value = attached ?? following.popFirst() else {
      throw UsageError("'\(option.name)' needs a value: \(option.name) \(placeholder). See '\(help)'.")
    }
    if value.isEmpty {
      throw UsageError(
        "'\(option.name)' needs a value, and was given an empty one: \(option.name) \(placeholder). See '\(help)'.")
    }
    if !option.choices.isEmpty, !option.choices.contains(value) {
      throw .unknown("value of \(option.name)", value, among: option.choices, help: help)
    }
    if values[option.name] != nil, !option.isRepeatable {
      throw UsageError("'\(option.name)' was given twice. See '\(help)'.")
    }
    values[option.name, default: []].append(value)
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  func value(_ name: String) -> String? { values[name]?.last }
  func values(_ name: String) -> [String] { values[name] ?? [] }
}
