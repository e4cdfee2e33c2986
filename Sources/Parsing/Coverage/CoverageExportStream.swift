import Glibc

/// Reads the JSON of `llvm-cov export` while it comes, so that it has been read when its last byte is there.
///
/// It knows where files and functions end in what LLVM writes: everything without blanks, `files` before `functions`
/// before `totals`. What is written in another way is read as a whole at the end, which also says what is wrong with it.
package struct CoverageExportStream: Sendable {
  /// What is expected next.
  private enum State {
    case start, files, functions, end
    /// It is not written as expected.
    case unusual
  }

  /// Everything that came.
  package private(set) var bytes: [UInt8] = []
  private var reader = CoverageExportReader()
  private var state = State.start
  /// How many of the bytes were read.
  private(set) var done = 0
  /// How many more must be there before it is worth reading on.
  private let step: Int
  /// How many there must be for that: twice as many after each look that found nothing whole, so that all looks at one
  /// long element together cost no more than it is long.
  private var wanted: Int

  // No string of JSON holds these: a quote in one has a backslash before it.
  private static let start = #"{"data":[{"files":["#
  private static let endOfFiles = #"}],"functions":["#
  private static let endOfFunctions = #"}],"totals":"#
  private static let betweenElements = Array(#"},{""#.utf8)

  package init(step: Int = 1 << 17) {
    self.step = step
    wanted = step
  }

  /// Takes the bytes that came next, and reads what is whole.
  package mutating func add(_ chunk: ArraySlice<UInt8>) {
    bytes += chunk
    guard bytes.count - done >= wanted else { return }
    let before = done
    readOn()
    wanted = done > before ? step : 2 * wanted
  }

  /// Reads the rest.
  package mutating func finish() throws -> CoverageExport {
    readOn()
    guard state == .end else { return try CoverageExport.read(bytes) }
    do {
      // What it saw last lies in other bytes.
      reader.lastName = JSONScanner.RepeatedString()
      try reader.read(Array(#"{"data":[{"functions":["#.utf8) + bytes[done...])
    } catch {
      return try CoverageExport.read(bytes)
    }
    return reader.export
  }

  private mutating func readOn() {
    do {
      if state == .start { try readStart() }
      if state == .files { try readElements(until: Self.endOfFiles, then: .functions) }
      if state == .functions { try readElements(until: Self.endOfFunctions, then: .end) }
    } catch {
      // Reading the whole once more says why.
      state = .unusual
    }
  }

  private mutating func readStart() throws {
    guard bytes.starts(with: Self.start.utf8) else { return state = .unusual }
    done = Self.start.utf8.count
    state = .files
  }

  /// Reads the whole elements of an array; behind the last of them, the state becomes the next one.
  private mutating func readElements(until end: String, then next: State) throws {
    if let found = offset(of: end) {
      try readElements(upTo: found + 1)
      // The bracket that ends the functions is left for the reading of the rest.
      done = next == .end ? found + 1 : found + end.utf8.count
      state = next
    } else if let cut = lastCut {
      try readElements(upTo: cut + 1)
      done = cut + 2
    }
  }

  private mutating func readElements(upTo end: Int) throws {
    guard done < end else { return }
    var scanner = JSONScanner(bytes[done..<end], input: CoverageExportReader.input)
    reader.lastName = JSONScanner.RepeatedString()
    while true {
      if state == .files { try reader.readFile(&scanner) } else { try reader.readFunction(&scanner) }
      guard scanner.position < scanner.bytes.count else { return }
      guard try scanner.peek() == UInt8(ascii: ",") else { throw scanner.error("expected a comma") }
      scanner.position += 1
    }
  }

  /// Where a text that begins with a brace stands in what was not read yet.
  private func offset(of text: String) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      var index = done
      while index < bytes.count, let found = memchr(start + index, Int32(UInt8(ascii: "}")), bytes.count - index) {
        index = UnsafeRawPointer(found) - UnsafeRawPointer(start)
        if bytes[index...].starts(with: text.utf8) { return index }
        index += 1
      }
      return nil
    }
  }

  /// Where the last whole element ends.
  private var lastCut: Int? {
    bytes.withUnsafeBufferPointer { bytes in
      let mark = Self.betweenElements
      var index = bytes.count - mark.count
      while index >= done {
        if bytes[index] == mark[0], bytes[(index + 1)..<(index + mark.count)].elementsEqual(mark[1...]) { return index }
        index -= 1
      }
      return nil
    }
  }
}
