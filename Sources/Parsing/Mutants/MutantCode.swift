package import Model

/// The machine code that a mutant has in place of other code, for x86-64 processors: that of a function that only returns
/// a value, or the opposite of a jump.
///
/// Results are returned in `rax`, `rdx` and `xmm0`, according to Swift's calling convention
/// (https://github.com/swiftlang/swift/blob/main/docs/ABI/CallConvSummary.rst). Functions begin at multiples of sixteen
/// bytes, and none of these is longer.
package struct MutantCode: Hashable, Sendable {
  package var replacement: MutantReplacement
  /// The code in hexadecimal; `@NAME@` stands for the address of a symbol.
  package var bytes: String

  /// The length of the code, in bytes.
  package var byteCount: Int {
    let parts = bytes.split(separator: "@", omittingEmptySubsequences: false)
    return parts.indices.reduce(0) { $0 + ($1.isMultiple(of: 2) ? parts[$1].count / 2 : 8) }
  }

  static let nothing = MutantCode(replacement: .nothing, bytes: "c3")
  static let `false` = MutantCode(replacement: .false, bytes: "31c0c3")
  static let `true` = MutantCode(replacement: .true, bytes: "b801000000c3")
  static let zero = MutantCode(replacement: .zero, bytes: "31c0c3")
  static let one = MutantCode(replacement: .one, bytes: "b801000000c3")
  static let floatingZero = MutantCode(replacement: .zero, bytes: "0f57c0c3")
  static let emptyString = MutantCode(replacement: .emptyString, bytes: "31c048ba00000000000000e0c3")
  static let letter = MutantCode(replacement: .letter, bytes: "b84100000048ba00000000000000e1c3")
  /// Nil of a type whose values are single addresses.
  static let noReference = MutantCode(replacement: .none, bytes: "31c0c3")
  /// Nil of a type whose values are two words, one of which is never zero.
  static let noPair = MutantCode(replacement: .none, bytes: "31c031d2c3")
  static let noBool = MutantCode(replacement: .none, bytes: "b802000000c3")
  /// Nil of a type that uses its whole word.
  static let noWord = MutantCode(replacement: .none, bytes: "31c0ba01000000c3")

  /// Returns the code for an empty collection, given the storage that all empty ones share.
  static func empty(_ symbol: String, _ replacement: MutantReplacement) -> MutantCode {
    MutantCode(replacement: replacement, bytes: "48b8@\(symbol)@c3")
  }

  /// Returns the code for nil of a type that does not fill its word: the bit above its value represents nil.
  static func noPart(bits: Int) -> MutantCode {
    let value = (UInt64(1) << UInt64(bits)).littleEndian
    let digits = withUnsafeBytes(of: value) { Array($0).hexadecimal }
    return MutantCode(replacement: .none, bytes: "48b8\(digits)c3")
  }
}
