/// The text of a file, with positions as people give them: line and column.
struct SourceText {
  /// The lines without their line breaks; a file that ends with a line break has an empty last line.
  let lines: [String]
  /// The bytes in UTF-8, without a byte order mark.
  let bytes: [UInt8]
  /// The faults that make the text unreadable, by position.
  let faults: [Fault]
  /// The start of each line, in Unicode scalars.
  private let starts: [Int]

  /// A part of the bytes that is not valid text.
  struct Fault {
    /// The position in Unicode scalars from the beginning.
    var offset: Int
    var message: String
  }

  /// Decodes bytes. Invalid UTF-8 becomes U+FFFD and a fault.
  init(_ bytes: [UInt8]) {
    var decoding = Decoding()
    var decoder = UTF8()
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    self.bytes = isUTF16 ? [] : bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if isUTF16 { decoding.fault("the file is UTF-16; save it as UTF-8") }
    var rest = self.bytes.makeIterator()
    loop: while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): decoding.add(scalar)
      case .emptyInput: break loop
      case .error: decoding.addBroken()
      }
    }
    decoding.finish()
    lines = decoding.lines.map(String.init)
    starts = decoding.starts
    faults = decoding.faults
  }

  /// Returns the line and the column, counting from 1, of a position in Unicode scalars. Columns are characters as an
  /// editor counts them.
  func position(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let before = String(lines[low].unicodeScalars.prefix(max(0, offset - starts[low])))
    return (low + 1, before.count + 1)
  }

  /// Returns the scalar at a position, if it is inside a line.
  func scalar(at offset: Int) -> Unicode.Scalar? {
    let line = lines[position(of: offset).line - 1]
    let inside = offset - starts[position(of: offset).line - 1]
    return line.unicodeScalars.dropFirst(max(0, inside)).first
  }
}

/// The text decoded so far.
private struct Decoding {
  var lines: [String.UnicodeScalarView] = []
  var starts = [0]
  var faults: [SourceText.Fault] = []
  private var line = String.UnicodeScalarView()
  private var count = 0
  private var lastWasReturn = false

  mutating func add(_ scalar: Unicode.Scalar) {
    defer { lastWasReturn = scalar == "\r" }
    if scalar == "\n", lastWasReturn {
      count += 1
      starts[starts.count - 1] = count
      return
    }
    if !Self.isAllowed(scalar) {
      let code = String(scalar.value, radix: 16, uppercase: true)
      fault("the character U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code) cannot stand in YAML")
    }
    count += 1
    if scalar == "\n" || scalar == "\r" {
      endLine()
      starts.append(count)
    } else {
      line.append(scalar)
    }
  }

  mutating func addBroken() {
    fault("the bytes here are not UTF-8; save the file as UTF-8")
    lastWasReturn = false
    line.append("\u{FFFD}")
    count += 1
  }

  mutating func finish() { endLine() }

  private mutating func endLine() {
    lines.append(line)
    line = String.UnicodeScalarView()
  }

  mutating func fault(_ message: String) {
    // A binary file has thousands of faults, and the first few suffice.
    if faults.count < 5 { faults.append(SourceText.Fault(offset: count, message: message)) }
  }

  /// Returns whether YAML allows a character (https://yaml.org/spec/1.2.2/#51-character-set).
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }
}
