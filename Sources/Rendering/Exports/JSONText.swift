/// A JSON value whose members are ordered, so that a document begins with the most important ones.
enum JSONValue {
  case bool(Bool)
  case integer(Int)
  case count(UInt64)
  case text(String)
  case list([JSONValue])
  case members([(name: String, value: JSONValue)])

  /// Creates an object without the members that are nil.
  static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .members(members.compactMap { name, value in value.map { (name, $0) } })
  }
}

/// Writes JSON: https://www.rfc-editor.org/rfc/rfc8259
struct JSONText {
  private(set) var text = ""
  private let openLevels: Int

  /// - Parameter openLevels: the number of levels that are spread over lines; deeper values are written on one line.
  static func of(_ value: JSONValue, openLevels: Int) -> String {
    var writer = JSONText(openLevels: openLevels)
    writer.write(value, level: 0)
    return writer.text + "\n"
  }

  private init(openLevels: Int) {
    self.openLevels = openLevels
  }

  private mutating func write(_ value: JSONValue, level: Int) {
    switch value {
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .count(let value): text += "\(value)"
    case .text(let value): writeString(value)
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        separate(first: index == 0, level)
        write(value, level: level + 1)
      }
      close("]", isEmpty: values.isEmpty, level)
    case .members(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        separate(first: index == 0, level)
        writeString(member.name)
        text += level < openLevels ? ": " : ":"
        write(member.value, level: level + 1)
      }
      close("}", isEmpty: members.isEmpty, level)
    }
  }

  private mutating func separate(first: Bool, _ level: Int) {
    if !first { text += "," }
    if level < openLevels { text += "\n" + String(repeating: "  ", count: level + 1) }
  }

  private mutating func close(_ bracket: String, isEmpty: Bool, _ level: Int) {
    if level < openLevels, !isEmpty { text += "\n" + String(repeating: "  ", count: level) }
    text += bracket
  }

  private mutating func writeString(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      // They end lines in old JavaScript, get lost in transit, or mislead readers of the file.
      case _ where VisibleText.isHidden(scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
