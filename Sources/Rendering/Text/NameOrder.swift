/// A name in the order in which people look for it: numbers in it count as numbers, so that `Part2` precedes `Part10`.
struct NameOrder: Comparable {
  let name: String

  init(_ name: String) {
    self.name = name
  }

  static func < (one: NameOrder, other: NameOrder) -> Bool {
    var (left, right) = (Substring(one.name).utf8, Substring(other.name).utf8)
    while let first = left.first, let second = right.first {
      if isDigit(first), isDigit(second) {
        let (number, otherNumber) = (takeNumber(&left), takeNumber(&right))
        if number.count != otherNumber.count { return number.count < otherNumber.count }
        if !number.elementsEqual(otherNumber) { return number.lexicographicallyPrecedes(otherNumber) }
      } else {
        if first != second { return first < second }
        left.removeFirst()
        right.removeFirst()
      }
    }
    // Those that differ only by leading zeros keep an order, too.
    return left.isEmpty && right.isEmpty ? one.name < other.name : left.isEmpty
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// Returns the digits at the start without leading zeros, and removes all of them.
  private static func takeNumber(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
    let digits = text.prefix(while: isDigit)
    text = text[digits.endIndex...]
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}
