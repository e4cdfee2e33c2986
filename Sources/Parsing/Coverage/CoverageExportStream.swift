import Glibc

/// A reader of the JSON of `llvm-cov export` as it arrives, so that little is left to read after the last byte.
///
/// The end of each file and function is recognized in LLVM's usual output: no white space, and `files` before
/// `functions` before `totals`. Anything else is read as a whole at the end, which also reports what is wrong with it.
package struct CoverageExportStream: Sendable {
  /// The next expected part.
  private enum State {
    case start, files, functions, end
    /// The input differs from LLVM's usual output.
    case unusual
  }

  /// All bytes received.
  package private(set) var bytes: [UInt8] = []
  private var reader = CoverageExportReader()
  private var state = State.start
  /// The number of bytes that were read.
  private(set) var done = 0
  /// The initial number of unread bytes that makes reading worthwhile.
  private let step: Int
  /// The number of unread bytes to wait for. It doubles after each attempt that found no complete element, so that all
  /// attempts on one long element together cost no more than its length.
  private var wanted: Int

  // These cannot occur inside a JSON string, where quotes are escaped with a backslash.
  private static let start = #"{"data":[{"files":["#
  private static let endOfFiles = #"}],"functions":["#
  private static let endOfFunctions = #"}],"totals":"#
  private static let betweenElements = Array(#"},{""#.utf8)

  package init(step: Int = 1 << 17) {
    self.step = step
    wanted = step
  }

  /// Adds the next bytes, and reads the complete elements.
  package mutating func add(_ chunk: ArraySlice<UInt8>) {
    bytes += chunk
    guard bytes.count - done >= wanted else { return }
    let before = done
    readOn()
    wanted = done > before ? step : 2 * wanted
  }

  /// Reads the rest and returns the export.
  package mutating func finish() throws -> CoverageExport {
    readOn()
    guard state == .end else { return try CoverageExport.read(bytes) }
    do {
      // The last name seen refers to other bytes.
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
      // Reading everything once more reports the reason.
      state = .unusual
    }
  }

  private mutating func readStart() throws {
    guard bytes.starts(with: Self.start.utf8) else { return state = .unusual }
    done = Self.start.utf8.count
    state = .files
  }

  /// Reads the complete elements of an array; after the last one, proceeds to the next state.
  private mutating func readElements(until end: String, then next: State) throws {
    if let found = offset(of: end) {
      try readElements(upTo: found + 1)
      // The bracket that ends the functions is kept for reading the rest.
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

  /// Returns the offset, among the unread bytes, of a text that begins with a brace.
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

  /// The end of the last complete element.
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
