extension UInt8 {
  /// Whether a name can begin with this byte. All bytes beyond ASCII count, since hardly any occur elsewhere.
  @inlinable package var isNameStart: Bool {
    (self | 0x20) &- UInt8(ascii: "a") < 26 || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80
  }

  @inlinable package var isNamePart: Bool { isNameStart || isDigit }

  @inlinable package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  @inlinable package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

  /// Whether it is whitespace of any kind to C.
  @inlinable package var isSpace: Bool { self == UInt8(ascii: " ") || 0x09...0x0D ~= self }

  @inlinable package var isNewline: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
