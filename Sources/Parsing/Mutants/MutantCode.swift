package import Model

/// The machine code of a function that only returns a value, for x86-64 processors.
///
/// Results are returned in `rax`, `rdx` and `xmm0`, according to Swift's calling convention
/// (https://github.com/swiftlang/swift/blob/main/docs/ABI/CallConvSummary.rst). Functions begin at multiples of sixteen
/// bytes, and none of these is longer.
package struct MutantCode: Hashable, Sendable {
  package var body: MutantBody
  /// The code in hexadecimal; `@NAME@` stands for the address of a symbol.
  package var bytes: String

  /// The length of the code, in bytes.
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
  /// Nil of a type whose values are single addresses.
  static let noReference = MutantCode(body: .none, bytes: "31c0c3")
  /// Nil of a type whose values are two words, one of which is never zero.
  static let noPair = MutantCode(body: .none, bytes: "31c031d2c3")
  static let noBool = MutantCode(body: .none, bytes: "b802000000c3")
  /// Nil of a type that uses its whole word.
  static let noWord = MutantCode(body: .none, bytes: "31c0ba01000000c3")

  /// Returns the code for an empty collection, given the storage that all empty ones share.
  static func empty(_ symbol: String, _ body: MutantBody) -> MutantCode {
    MutantCode(body: body, bytes: "48b8@\(symbol)@c3")
  }

  /// Returns the code for nil of a type that does not fill its word: the bit above its value represents nil.
  static func noPart(bits: Int) -> MutantCode {
    let value = (UInt64(1) << UInt64(bits)).littleEndian
    let digits = withUnsafeBytes(of: value) { Array($0).hexadecimal }
    return MutantCode(body: .none, bytes: "48b8\(digits)c3")
  }
}
