import Model

/// The first line of a message: `path:line:column: error: text [#Group]`, `error: text` or `tool: error: text`.
struct Headline {
  var severity: Diagnostic.Severity
  var message: String
  /// Nil for messages without a location, and for those inside the expansion of a macro.
  var location: SourceLocation?
  var category: String?
  /// Whether the location is inside the expansion of a macro; the next line then says where that is.
  var isExpansion = false

  private static let markers: [(text: String, severity: Diagnostic.Severity)] = [
    ("fatal error: ", .error), ("error: ", .error), ("warning: ", .warning), ("note: ", .note), ("remark: ", .remark),
  ]

  private static let inclusion = "In file included from "

  /// Returns nil for lines that are not headlines.
  init?(_ line: String) {
    guard let (place, severity, text) = Self.parts(of: line) else { return nil }
    self.severity = severity
    (message, category) = Self.withoutCategory(Self.cleaned(text))
    guard !place.isEmpty else {
      if let manifest = Self.insideManifest(text) { self = manifest }
      return
    }
    if let location = SourceLocation(printed: place) {
      if location.file.hasPrefix("macro expansion ") {
        isExpansion = true
      } else if location.file != "<unknown>" {
        self.location = location
      }
    } else {
      guard !place.contains(" ") else { return nil }
      message = "\(place): \(message)"
    }
  }

  /// Whether the output of a linker follows.
  var beginsLinking: Bool {
    severity == .error && location == nil && message.hasPrefix("link command failed")
  }

  /// Whether a line is only a comment on messages, such as `[#Group]: <https://…>` or `2 warnings generated.`
  static func isAside(_ line: String) -> Bool {
    line.hasPrefix("[#") && line.contains("]: <") && line.hasSuffix(">")
      || line.hasPrefix(inclusion)
      || line.first?.isNumber == true && line.hasSuffix(" generated.")
  }

  /// Returns the file that includes others, in a line that leads to a message about one of these.
  static func including(_ line: String) -> String? {
    line.hasPrefix(inclusion) ? SourceLocation(printed: line.dropFirst(inclusion.count).dropLast())?.file : nil
  }

  /// Splits a line at its first severity.
  private static func parts(of line: String) -> (place: Substring, severity: Diagnostic.Severity, text: Substring)? {
    for marker in markers where line.hasPrefix(marker.text) {
      return ("", marker.severity, line.dropFirst(marker.text.count))
    }
    var first: (range: Range<String.Index>, severity: Diagnostic.Severity)?
    for marker in markers {
      guard let range = line.firstRange(ofASCII: ": \(marker.text)") else { continue }
      if let known = first, known.range.lowerBound <= range.lowerBound { continue }
      first = (range, marker.severity)
    }
    guard let first else { return nil }
    return (line[..<first.range.lowerBound], first.severity, line[first.range.upperBound...])
  }

  /// Returns the headline without the package's name, which the package manager puts before the compiler's messages
  /// about its manifest: `'name': path:line:column: warning: text`.
  private static func insideManifest(_ text: Substring) -> Headline? {
    guard text.hasPrefix("'"), let end = text.firstRange(of: "': /"),
      let headline = Headline(String(text[end.lowerBound...].dropFirst(3))), headline.location != nil
    else { return nil }
    return headline
  }

  /// Returns the text without command-line hints and without the command that compiled a manifest.
  private static func cleaned(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " }
    for hint in [" (use -v to see invocation)", " (compiled with: [", ". Command line:"] {
      if let range = text.firstRange(ofASCII: hint) { text = text[..<range.lowerBound] }
    }
    return text
  }

  /// Separates a final `[#Group]` or `[-Woption]` from the message.
  private static func withoutCategory(_ text: Substring) -> (message: String, category: String?) {
    guard text.hasSuffix("]"), let bracket = text.lastIndex(of: "[") else { return (String(text), nil) }
    let message = text[..<bracket]
    let category = text[bracket...].dropFirst().dropLast()
    guard message.hasSuffix(" "), category.hasPrefix("#") || category.hasPrefix("-W") else {
      return (String(text), nil)
    }
    let name = category.hasPrefix("#") ? category.dropFirst() : category.split(separator: ",").last ?? category
    return (String(message.dropLast()), String(name))
  }
}
