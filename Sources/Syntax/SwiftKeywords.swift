/// The keywords of the Swift language, looked up by their bytes.
struct SwiftKeywords: Sendable {
  enum Role: UInt8, Sendable {
    /// A keyword except as a member or an argument label.
    case always
    /// Like `always`, but also a value, so a slash after it means division.
    case value
    /// A keyword only before another name.
    case modifier
    /// A keyword only at the beginning of an accessor.
    case accessor
    /// `async`, after a parameter list or before `let`.
    case effect
  }

  private struct Slot: Sendable {
    var low: UInt64 = 0
    var high: UInt64 = 0
    var role: Role = .always
  }

  static let shared = SwiftKeywords()

  private static let words: [(Role, String)] = [
    (
      .always,
      """
      associatedtype class deinit enum extension fileprivate func import init inout internal let operator \
      precedencegroup private protocol public rethrows static struct subscript typealias var break case catch \
      continue default defer do else fallthrough for guard if in repeat return switch throw where while as await \
      is throws try
      """
    ),
    (.value, "self Self super true false nil Any"),
    (
      .modifier,
      """
      open final lazy weak unowned mutating nonmutating override required convenience dynamic optional indirect \
      prefix postfix infix package actor macro isolated nonisolated distributed sending borrowing consuming some \
      any each consume copy discard unsafe yield __owned __shared __consuming
      """
    ),
    (.accessor, "get set willSet didSet _read _modify borrow mutate unsafeAddress"),
    (.effect, "async"),
  ]

  /// A hash table with open addressing; a slot whose `low` is zero is free.
  private var slots = [Slot](repeating: Slot(), count: 512)

  private init() {
    for (role, list) in Self.words {
      for word in list.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
        let bytes = Array(word.utf8)
        let key = Self.key(of: bytes, 0..<bytes.count)
        guard let key else { continue }
        var index = Self.index(of: key)
        while slots[index].low != 0 { index = (index + 1) & 511 }
        slots[index] = Slot(low: key.low, high: key.high, role: role)
      }
    }
  }

  /// Returns the role of a word, or nil for an ordinary name.
  func role(of bytes: [UInt8], _ range: Range<Int>) -> Role? {
    guard let key = Self.key(of: bytes, range) else { return nil }
    var index = Self.index(of: key)
    while slots[index].low != 0 {
      if slots[index].low == key.low, slots[index].high == key.high { return slots[index].role }
      index = (index + 1) & 511
    }
    return nil
  }

  /// Packs two to sixteen bytes into two integers; nil for shorter or longer words.
  @inline(__always)
  private static func key(of bytes: [UInt8], _ range: Range<Int>) -> (low: UInt64, high: UInt64)? {
    guard 2...16 ~= range.count else { return nil }
    var low: UInt64 = 0
    var high: UInt64 = 0
    for index in range.prefix(8) { low = low << 8 | UInt64(bytes[index]) }
    for index in range.dropFirst(8) { high = high << 8 | UInt64(bytes[index]) }
    return (low, high)
  }

  @inline(__always)
  private static func index(of key: (low: UInt64, high: UInt64)) -> Int {
    Int(truncatingIfNeeded: ((key.low ^ (key.high &* 0x9E37_79B9)) &* 0x9E37_79B9_7F4A_7C15) >> 55)
  }
}
