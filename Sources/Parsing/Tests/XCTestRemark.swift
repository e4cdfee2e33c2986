import Model

/// A message of XCTest between a test's start and end: a failure, a skip or a measurement.
struct XCTestRemark: Equatable {
  enum Kind: Equatable {
    case failure, skip, measurement
  }

  var kind: Kind
  /// The test's name on the console, `Class.method`.
  var name: String
  /// Nil for `<EXPR>:0` and `<unknown>:0`.
  var location: SourceLocation?
  /// The first line of the text after the name.
  var text: String
  /// The earlier output of a test on the same line.
  var prefix: [UInt8]

  /// Recognizes `path:line: error: Class.method : text` for a known name, and for the open test also
  /// `path:line: Class.method : Test skipped…` and `path:line: Test Case 'Class.method' measured …`.
  static func parse(
    _ line: [UInt8], open: String?, isKnown: (String) -> Bool, relativise: (String) -> String?
  ) -> XCTestRemark? {
    if let failure = failure(line, isKnown: isKnown, relativise: relativise) { return failure }
    guard let open else { return nil }
    let forms: [(kind: Kind, name: String, text: String)] = [
      (.skip, ": \(open) : ", "Test skipped"), (.measurement, ": Test Case '\(open)' ", "measured "),
    ]
    for form in forms {
      guard let found = line[...].firstRange(ofBytes: Array("\(form.name)\(form.text)".utf8)),
        let place = ConsolePlace(line[..<found.lowerBound], relativise: relativise)
      else { continue }
      let text = form.text + line[found.upperBound...].text
      return XCTestRemark(kind: form.kind, name: open, location: place.location, text: text, prefix: place.prefix)
    }
    return nil
  }

  private static func failure(
    _ line: [UInt8], isKnown: (String) -> Bool, relativise: (String) -> String?
  ) -> XCTestRemark? {
    let mark = Array(": error: ".utf8)
    let separator = Array(" : ".utf8)
    var rest = line[...]
    while let found = rest.firstRange(ofBytes: mark) {
      rest = rest[found.upperBound...]
      guard let end = rest.firstRange(ofBytes: separator) else { return nil }
      let name = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
      guard isKnown(name), let place = ConsolePlace(line[..<found.lowerBound], relativise: relativise) else { continue }
      let text = rest[end.upperBound...].text
      return XCTestRemark(kind: .failure, name: name, location: place.location, text: text, prefix: place.prefix)
    }
    return nil
  }
}

/// A printed `path:line`, and the text before it on the line.
private struct ConsolePlace {
  var location: SourceLocation?
  var prefix: [UInt8]

  init?(_ bytes: ArraySlice<UInt8>, relativise: (String) -> String?) {
    guard let colon = bytes.lastIndex(of: 0x3A),
      let line = Int(String(decoding: bytes[(colon + 1)...], as: UTF8.self)), line >= 0
    else { return nil }
    let path = Array(bytes[..<colon])
    for unknown in ["<EXPR>", "<unknown>"] where path.reversed().starts(with: unknown.utf8.reversed()) {
      location = nil
      prefix = path.dropLast(unknown.utf8.count)
      return
    }
    let (start, file) = ConsolePlace.file(path, relativise: relativise)
    guard !file.isEmpty else { return nil }
    location = line > 0 ? SourceLocation(file: file, line: line) : nil
    prefix = Array(path[..<start])
  }

  /// Returns the start of the path: the first slash that begins a path in the package, or otherwise the beginning.
  private static func file(_ path: [UInt8], relativise: (String) -> String?) -> (start: Int, file: String) {
    for start in path.indices where start == 0 || path[start] == 0x2F {
      if let relative = relativise(path[start...].text) { return (start, relative) }
    }
    return (0, path.text)
  }
}

extension TestMeasurement {
  /// Reads XCTest's message about a `measure` block:
  /// `measured [Time, seconds] average: 0.001, relative standard deviation: 9.5%, values: [0.001, 0.002], …`.
  init?(_ text: String) {
    guard let rest = text.dropping("measured ["), let end = rest.firstIndex(of: "]") else { return nil }
    let unit = rest[..<end].split(separator: ",", maxSplits: 1).map { $0.drop(while: \.isWhitespace) }
    guard
      let values = rest[end...].firstRange(ofASCII: "values: [").map({ rest[$0.upperBound...].prefix { $0 != "]" } })
    else {
      return nil
    }
    let numbers = values.split(separator: ",").map { Double($0.filter { !$0.isWhitespace }) }
    guard let metric = unit.first, !numbers.isEmpty, numbers.allSatisfy({ $0?.isFinite == true }) else { return nil }
    self.init(
      metric: String(metric), unit: unit.count > 1 ? String(unit[1]) : "", values: numbers.compactMap(\.self))
  }
}
