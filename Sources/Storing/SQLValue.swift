import FoundationEssentials

/// A value of a statement parameter.
enum SQLValue: Hashable {
  case integer(Int)
  case real(Double)
  case text(String)
  case null

  static func boolean(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
  /// In seconds since 1970.
  static func date(_ date: Date) -> SQLValue { .real(date.timeIntervalSince1970) }
  static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
  static func optional(_ number: Int?) -> SQLValue { number.map { .integer($0) } ?? .null }
}
