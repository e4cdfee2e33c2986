import Parsing
import Testing

@Suite("JSON scanner")
struct JSONScannerTests {
  private func scanner(_ text: String, depthLimit: Int = 64) -> JSONScanner {
    JSONScanner(Array(text.utf8), input: "the sample", depthLimit: depthLimit)
  }

  private func message<Value>(_ text: String, _ read: (inout JSONScanner) throws -> Value) -> String? {
    var scanner = scanner(text)
    do {
      _ = try read(&scanner)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private let advice = "If the tool ended normally, its format is new to Martlet; please report it."

  @Test("Members are read in their order, unknown ones skipped")
  func object() throws {
    var scanner = scanner(
      #" { "a" : 1 , "skip" : {"x":[1,{"y":null}],"z":"\"}"}, "b":[ true , false ], "\u0063": "c" } "#)
    var seen: [String] = []
    try scanner.readObject { scanner, key in
      switch key {
      case "a": seen.append("a=\(try scanner.readInt())")
      case "b": try scanner.readArray { scanner in seen.append("b=\(try scanner.readBool())") }
      case "c": seen.append("c=\(try scanner.readString())")
      default:
        seen.append(key.text)
        try scanner.skipValue()
      }
    }
    try scanner.finish()
    #expect(seen == ["a=1", "skip", "b=true", "b=false", "c=c"])
  }

  @Test("Empty objects and arrays have no members")
  func empty() throws {
    var scanner = scanner("[{}, [ ], { }]")
    try scanner.readArray { scanner in try scanner.skipValue() }
    try scanner.finish()
    #expect(scanner.position == 14)
  }

  @Test(
    "Strings resolve their escapes; what is no text becomes a replacement character",
    arguments: [
      (#""plain""#, "plain"), (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u00e9\u20AC""#, "é€"), (#""\ud83d\ude00""#, "😀"), (#""\ud83d""#, "\u{FFFD}"),
      (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00""#, "\u{FFFD}"), (#""\ud83d\u0041""#, "\u{FFFD}A"),
      (#""\u12""#, "\u{FFFD}12"), (#""\uZZZZ""#, "\u{FFFD}ZZZZ"), (#""\x""#, "\u{FFFD}"), (#""né 🐦""#, "né 🐦"),
    ])
  func strings(text: String, expected: String) throws {
    var scanner = scanner(text)
    #expect(try scanner.readString() == expected)
    try scanner.finish()
  }

  @Test("Invalid UTF-8 and NUL inside a string are repaired, not refused")
  func invalidText() throws {
    var scanner = JSONScanner([0x22, 0x61, 0xFF, 0x00, 0x22], input: "the sample")
    #expect(try scanner.readString() == "a\u{FFFD}\0")
  }

  @Test(
    "Counts keep all 64 bits; whole numbers may have a fraction or an exponent",
    arguments: [
      ("0", 0), ("18446744073709551615", .max), ("9007199254740993", 9_007_199_254_740_993), ("-0", 0), ("1e3", 1000),
      ("2.0", 2), ("25E-1e", nil), ("12.5", nil), ("-1", nil), ("18446744073709551616", nil), ("1e30", nil), ("", nil),
      ("1.", nil), ("1e", nil), ("-", nil), (".5", nil), ("\"1\"", nil),
    ] as [(String, UInt64?)])
  func counts(text: String, expected: UInt64?) {
    var scanner = scanner(text)
    #expect((try? scanner.readUInt64()) == expected)
  }

  @Test(
    "Whole numbers may be negative",
    arguments: [
      ("-9223372036854775808", .min), ("9223372036854775807", .max), ("9223372036854775808", nil), ("-3e2", -300),
      ("-1.5", nil),
    ] as [(String, Int?)])
  func integers(text: String, expected: Int?) {
    var scanner = scanner(text)
    #expect((try? scanner.readInt()) == expected)
  }

  @Test("Errors name the input, the byte and what was expected")
  func errors() {
    #expect(
      message(#"{"a" 1}"#) { try $0.skipValue() }
        == "Cannot read the sample at byte 5: expected a colon, found '1'. \(advice)")
    #expect(
      message("[1 2]") { try $0.skipValue() }
        == "Cannot read the sample at byte 3: expected a comma or ']', found '2'. \(advice)")
    #expect(
      message("[1,") { try $0.skipValue() }
        == "Cannot read the sample at byte 3: the text ends too early. \(advice)")
    #expect(
      message(#""abc\""#) { try $0.readString() }
        == "Cannot read the sample at byte 0: the text ends inside a string. \(advice)")
    #expect(
      message("\u{1}") { try $0.readObject { _, _ in } }
        == "Cannot read the sample at byte 0: expected an object, found byte 0x1. \(advice)")
    #expect(
      message("18446744073709551616") { try $0.readUInt64() }
        == "Cannot read the sample at byte 0: the number is larger than 64 bits can hold. \(advice)")
    #expect(
      message("tru") { try $0.readBool() } == "Cannot read the sample at byte 0: expected true. \(advice)")
    #expect(
      message("1 x") { scanner in
        try scanner.skipValue()
        try scanner.finish()
      } == "Cannot read the sample at byte 2: expected the end, found 'x'. \(advice)")
  }

  @Test("Depth is limited, so that hostile nesting cannot exhaust the stack")
  func depth() {
    let nested = String(repeating: "[", count: 100_000)
    #expect(
      message(nested) { try $0.skipValue() }
        == "Cannot read the sample at byte 65: it is nested more than 64 levels deep. \(advice)")
    #expect(message("[[1]]") { try $0.skipValue() } == nil)
  }
}
