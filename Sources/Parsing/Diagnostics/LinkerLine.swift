import Model

/// A line printed by GNU ld, gold or lld.
enum LinkerLine {
  case message(Diagnostic)
  /// A continuation of the previous message.
  case continuation(String)
  case ignored

  private static let tools: Set<Substring> = ["ld", "ld.gold", "ld.bfd", "ld.lld", "lld", "ld64.lld", "wasm-ld"]
  private static let complaints = ["undefined reference to ", "multiple definition of ", "undefined symbol: "]
  private static let afterthoughts = ["previous definition here", "first defined here", "more undefined references"]

  /// - Parameters:
  ///   - line: any line of a build's output.
  ///   - inSection: whether the previous line came from a linker, or announced one.
  init?(_ line: String, inSection: Bool) {
    let (tool, text) = Self.withoutTool(line)
    if inSection, line.hasPrefix(">>> ") {
      self = .continuation(line)
    } else if line.hasPrefix("clang"), line.contains(": error: linker command failed") {
      guard !inSection else {
        self = .ignored
        return
      }
      self = .message(Diagnostic(severity: .error, message: "linker command failed with exit code 1", isLinker: true))
    } else if tool || inSection, let complaint = Self.complaint(text) {
      self = .message(complaint)
    } else if tool {
      self = Self.other(text)
    } else {
      return nil
    }
  }

  private static func withoutTool(_ line: String) -> (isTool: Bool, text: Substring) {
    guard let end = line.firstRange(ofASCII: ": ") else { return (false, line[...]) }
    let name = line[..<end.lowerBound].split(separator: "/").last ?? ""
    return tools.contains(name) ? (true, line[end.upperBound...]) : (false, line[...])
  }

  /// Parses `place: error: complaint`; the place is moved to the end of the message, unless it is a source line.
  private static func complaint(_ text: Substring) -> Diagnostic? {
    guard
      let range = complaints.compactMap({ text.firstRange(ofASCII: $0) }).min(by: { $0.lowerBound < $1.lowerBound })
    else { return nil }
    var place = text[..<range.lowerBound]
    if place.hasPrefix("error: ") { place = place.dropFirst("error: ".count) }
    for suffix in [" ", "error:", " ", ":"] where place.hasSuffix(suffix) { place = place.dropLast(suffix.count) }
    let message = String(text[range.lowerBound...])
    if let location = SourceLocation(printed: place) {
      return Diagnostic(severity: .error, message: message, location: location, isLinker: true)
    }
    return Diagnostic(
      severity: .error, message: place.isEmpty ? message : "\(message)\nin \(place)", isLinker: true)
  }

  private static func other(_ text: Substring) -> LinkerLine {
    if text.hasPrefix("NOTE: ") || afterthoughts.contains(where: text.contains) { return .continuation(String(text)) }
    if text.contains(": in function "), text.hasSuffix(":") { return .ignored }
    if isOfSanitizer(text) { return .ignored }
    for (prefix, severity) in [("warning: ", Diagnostic.Severity.warning), ("error: ", .error), ("fatal: ", .error)]
    where text.hasPrefix(prefix) {
      return .message(Diagnostic(severity: severity, message: String(text.dropFirst(prefix.count)), isLinker: true))
    }
    return .message(Diagnostic(severity: .error, message: String(text), isLinker: true))
  }

  /// Whether gold complains about the toolchain's own sanitizer, which lists symbols for export that it keeps local; no
  /// package can have symbols with such names.
  private static func isOfSanitizer(_ text: Substring) -> Bool {
    ["__asan_", "__tsan_", "__lsan_", "__ubsan_", "__sanitizer_", "__interceptor_"].contains {
      text.hasPrefix("warning: Cannot export local symbol '\($0)")
    }
  }
}
