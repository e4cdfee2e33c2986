package import Model

/// The first bytes of a function that does nothing but give something back, for processors of the x86-64 kind.
///
/// Results come back in `rax`, `rdx` and `xmm0`, as Swift's calling convention has it
/// (https://github.com/swiftlang/swift/blob/main/docs/ABI/CallConvSummary.rst); functions begin at multiples of sixteen bytes, and
/// none of these is longer.
package struct MutantCode: Hashable, Sendable {
  package var body: MutantBody
  /// Hexadecimal; `@NAME@` stands for the address of a symbol.
  package var bytes: String

  /// How long it is.
  package var byteCount: Int {
    let parts = bytes.split(separator: "@", omittingEmptySubsequences: false)
    return parts.indices.reduce(0) { $0 + ($1.isMultiple(of: 2) ? parts[$1].count / 2 : 8) }
  }

  static let nothing = MutantCode(body: .nothing, bytes: "c3")
  static let `false` = MutantCode(body: .false, bytes: "31c0c3")
  static let `true` = MutantCode(body: .true, bytes: "b801000000c3")
  static let zero = MutantCode(body: .zero, bytes: "31c0c3")
  static let one = MutantCode(body: .one, bytes: "b801000000c3")
  static let floatingZero = MutantCode(body: .zero, bytes: "0f57c0c3")
  static let emptyString = MutantCode(body: .emptyString, bytes: "31c048ba00000000000000e0c3")
  static let letter = MutantCode(body: .letter, bytes: "b84100000048ba00000000000000e1c3")
  /// Nil of a type whose values are one address.
  static let noReference = MutantCode(body: .none, bytes: "31c0c3")
  /// Nil of a type whose values are two words, of which one is never zero.
  static let noPair = MutantCode(body: .none, bytes: "31c031d2c3")
  static let noBool = MutantCode(body: .none, bytes: "b802000000c3")
  /// Nil of a type that uses all of its word.
  static let noWord = MutantCode(body: .none, bytes: "31c0ba01000000c3")

  /// An empty collection, which all empty ones share.
  static func empty(_ symbol: String, _ body: MutantBody) -> MutantCode {
    MutantCode(body: body, bytes: "48b8@\(symbol)@c3")
  }

  /// Nil of a type that leaves room in its word: the bit behind its own says so.
  static func noPart(bits: Int) -> MutantCode {
    let value = (UInt64(1) << UInt64(bits)).littleEndian
    let digits = withUnsafeBytes(of: value) { bytes in
      bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }
    return MutantCode(body: .none, bytes: "48b8\(digits)c3")
  }
}
