import Model

/// A value of a file with the name of its key. Each method that reads it reports a problem if the value is invalid.
struct Field {
  let name: String
  let node: Node
  /// The start of the key, in Unicode scalars.
  let keyStart: Int
  let findings: FileProblems
  var isElement = false

  /// The field's name in messages.
  private var label: String {
    name.isEmpty ? "the file" : isElement ? "each of '\(name.shortened)'" : "'\(name.shortened)'"
  }

  /// Reports a problem with the value; returns nil, for the caller to return.
  func refuse<Value>(_ message: String) -> Value? {
    findings.add(at: node.start, message)
    return nil
  }

  func expected<Value>(_ expectation: String) -> Value? {
    refuse("\(label) should be \(expectation), not \(node.words)")
  }

  /// Reports the key if it has no value. Returns whether that is the case.
  func reportsMissingValue() -> Bool {
    guard node.isNothing else { return false }
    findings.add(at: keyStart, "'\(name.shortened)' has no value; give one, or leave the line out for the default")
    return true
  }

  /// Reads a word, a path, an expression: any text on one line and without NUL.
  func text(_ expectation: String, allowsEmpty: Bool = false, allowsLines: Bool = false) -> String? {
    guard case .scalar(let text, _) = node.content, !node.isNothing, allowsEmpty || !text.isEmpty else {
      return expected(expectation)
    }
    if text.unicodeScalars.contains("\0") { return refuse("\(label) holds the character U+0000, which no value can") }
    if !allowsLines, text.contains(where: \.isNewline) {
      return refuse("\(label) holds a line break; it should be \(expectation)")
    }
    return text
  }

  /// Reads a text that is what it should be.
  func text(_ expectation: String, where isValid: (String) -> Bool) -> String? {
    text(expectation).flatMap { isValid($0) ? $0 : expected(expectation) }
  }

  /// Reads a Boolean. Most fields of a bot's file use `on` and `off`, so these are accepted as well.
  func flag() -> Bool? {
    guard case .scalar(let text, isPlain: true) = node.content else { return expected("true or false") }
    switch text {
    case "true", "on": return true
    case "false", "off": return false
    default: return expected("true or false")
    }
  }

  func number(in range: ClosedRange<Int>) -> Int? {
    let expectation = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard case .scalar(let text, _) = node.content, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let number = Int(text), range.contains(number)
    else { return expected(expectation) }
    return number
  }

  /// Reads a percentage, with or without a percent sign.
  func percentage() -> Double? {
    guard case .scalar(let text, _) = node.content,
      let value = Self.decimal(text.hasSuffix("%") ? text.dropLast() : text[...]),
      value <= 100
    else { return expected("a percentage from 0 to 100 such as 80") }
    return value
  }

  private static func decimal(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { !$0.isEmpty && $0.count <= 9 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
    return parts.count <= 2 && areDigits ? Double(text) : nil
  }

  /// Reads one of a few words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(_: Choice.Type = Choice.self) -> Choice? {
    choice(among: Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
  }

  func choice(among words: [String]) -> String? {
    guard case .scalar(let text, _) = node.content, words.contains(text) else {
      var nearest: String?
      if case .scalar(let text, _) = node.content { nearest = EditDistance.nearest(to: text, among: words).first }
      let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
      return refuse("\(label) should be one of \(words.joined(separator: ", ")), not \(node.words)\(hint)")
    }
    return text
  }

  /// Reads each element separately, so that every problem is reported; nil if any element is invalid. A value that is
  /// not a list counts as a list of one element.
  ///
  /// - Parameter example: A list as written in a file, such as `[main, "release/*"]`.
  func list<Element: Hashable>(_ example: String, allowsRepetition: Bool = false, _ read: (Field) -> Element?)
    -> [Element]?
  {
    guard case .list(let nodes) = node.content else {
      return isEmpty ? expected("a list such as \(example)") : read(self).map { [$0] }
    }
    var seen: Set<Element> = []
    let elements = nodes.map { node -> Element? in
      let field = Field(name: name, node: node, keyStart: node.start, findings: findings, isElement: true)
      guard let element = read(field) else { return nil }
      return allowsRepetition || seen.insert(element).inserted
        ? element : field.refuse("'\(name)' holds this a second time")
    }
    let read = elements.compactMap(\.self)
    return read.count == elements.count ? read : nil
  }

  /// Reads the fields of a mapping.
  ///
  /// - Parameter example: A mapping as written in a file, such as `{integrations: 50}`.
  func fields(_ example: String) -> Fields? { fields(expecting: "a mapping such as \(example)") }

  /// Reads the fields of a mapping where other values are possible, too.
  func fields(expecting expectation: String) -> Fields? {
    guard case .mapping(let entries) = node.content else { return expected(expectation) }
    return Fields(entries, name: name, start: node.start, findings)
  }

  /// Reads a mapping whose fields replace those of a value.
  func merged<Value>(into base: Value, _ example: String, _ read: (Fields, inout Value) -> Void) -> Value? {
    guard let fields = fields(example) else { return nil }
    var value = base
    read(fields, &value)
    fields.finish()
    return value
  }

  /// Returns whether the value is exactly this word.
  func isWord(_ word: String) -> Bool {
    if case .scalar(word, _) = node.content { return true }
    return false
  }

  private var isEmpty: Bool { node.isNothing || isWord("") }

  var isMapping: Bool {
    if case .mapping = node.content { return true }
    return false
  }
}

extension Field {
  /// Reads a pattern for branches, tags or paths.
  func glob(_ example: String) -> String? {
    guard let text = text("a pattern such as \(example)") else { return nil }
    if text.utf8.count > 400 { return refuse("a pattern is at most 400 bytes long") }
    if text.contains(where: { $0 == " " || $0 == "\t" }), !name.contains("paths"), name != "exclude" {
      return refuse("'\(text.shortened)' holds a space, which no branch or tag does; write a list with commas")
    }
    return text
  }

  /// Reads a pattern for branches or tags.
  func branchGlob(_ example: String) -> String? {
    guard let text = glob(example) else { return nil }
    for prefix in ["refs/heads/", "refs/tags/"] where text.hasPrefix(prefix) {
      return refuse("write the name without \(prefix): \(text.dropFirst(prefix.count).description.shortened)")
    }
    return text
  }

  /// Reads a pattern for files below a folder.
  func pathGlob(_ example: String) -> String? {
    guard let text = glob(example) else { return nil }
    if text.hasPrefix("/") || text.hasPrefix("./") {
      return refuse("'\(text.shortened)' should begin with the name of a file or folder, such as \(example)")
    }
    return text
  }

  /// Reads a regular expression in Swift's syntax.
  func regularExpression() -> String? {
    guard let text = text("a regular expression such as GreeterTests", allowsEmpty: false) else { return nil }
    // Swift's parser handles brackets recursively, and the stack is finite.
    guard text.count <= 2000, text.utf8.count(where: { $0 == 0x5B }) <= 100 else {
      return refuse("the regular expression is longer than 2000 characters, or has more than 100 brackets")
    }
    do {
      _ = try Regex(text)
      return text
    } catch {
      return refuse("'\(text.shortened)' is no regular expression: \("\(error)".shortened)")
    }
  }

  /// Reads the name of a variable or secret.
  func variableName() -> String? {
    text("a name of letters, digits and _ such as API_URL", where: VariableName.isValid)
  }

  /// Reads an email address, or a name that stands for one or more.
  func recipient(knownNames: [String]) -> String? {
    guard let text = text("an address such as team@example.org") else { return nil }
    if MailAddress.isValid(text) { return text }
    if text.contains("@") { return expected("an address such as team@example.org") }
    guard knownNames.contains(text) else {
      let advice = NameAdvice.text(text, among: knownNames)
      return refuse(
        "'\(text.shortened)' is neither an address nor a name under 'people' or 'aliases' in martlet.yml\(advice)")
    }
    return text
  }

  func mailAddress() -> String? {
    text("an address such as team@example.org", where: MailAddress.isValid)
  }

  /// Reads a domain such as `example.org`.
  func domain() -> String? {
    guard let text = text("a domain such as example.org") else { return nil }
    return MailAddress.isDomain(text) ? text : expected("a domain such as example.org, without @")
  }
}

/// The names of environment variables (https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html).
enum VariableName {
  static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39 ~= first), text.utf8.count <= 200 else { return false }
    return text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F }
  }
}

extension Field {
  /// Reads a duration with its unit; longer than zero and at most a year.
  func duration() -> Duration? {
    let expectation = "a duration such as 10m, 2h or 0.1s"
    guard case .scalar(let text, _) = node.content, !text.isEmpty, !node.isNothing else { return expected(expectation) }
    if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2E }) {
      return refuse("'\(name)' needs a unit: write \(text.shortened)s for seconds, or a duration such as 10m or 2h")
    }
    guard let duration = DurationField.read(text) else { return expected(expectation) }
    guard duration > .zero, duration <= .seconds(366 * 86400) else {
      return refuse("'\(name)' should be longer than nothing and at most 366d, not '\(text.shortened)'")
    }
    return duration
  }

  /// Reads a time of day such as `"03:00"`.
  func timeOfDay() -> Schedule.TimeOfDay? {
    let expectation = "a time of day in quotes, such as \"03:00\""
    guard case .scalar(let text, _) = node.content else { return expected(expectation) }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return expected(expectation) }
    return Schedule.TimeOfDay(hour: hour, minute: minute)
  }

  /// Reads the name of a time zone, without checking whether the machine has it.
  func timeZone() -> String? {
    text("the name of a time zone such as Europe/Berlin or UTC") { text in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let isName = parts.allSatisfy { part in
        part.first?.isLetter == true
          && part.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789_+-".unicodeScalars.contains($0))
          }
      }
      return isName && parts.count <= 3 && text.count <= 64
    }
  }

  func period() -> Schedule.Period? {
    let shapes = "{hour: 15} (every hour at that minute), {day: sunday, at: \"03:00\"} or {cron: \"30 4 * * mon\"}"
    guard let fields = fields(expecting: shapes) else { return nil }
    let hour = fields.field("hour")
    let day = fields.field("day")
    let at = fields.field("at")
    let cron = fields.field("cron")
    fields.finish()
    guard [hour, day, cron].compactMap(\.self).count == 1 else { return refuse("'\(name)' should be one of \(shapes)") }
    if let at, day == nil { return at.refuse("'at' goes with 'day'; \(shapes)") }
    if let hour { return hour.number(in: 0...59).map { .hourly(minute: $0) } }
    if let cron { return cron.cronLine().map { .cron($0) } }
    guard let day else { return nil }
    let word = day.choice(among: ["daily"] + Schedule.Weekday.allCases.map(\.rawValue))
    guard let at else { return day.refuse("'day' needs a time of day: {day: \(word ?? "sunday"), at: \"03:00\"}") }
    guard let time = at.timeOfDay(), let word else { return nil }
    return Schedule.Weekday(rawValue: word).map { .weekly($0, time) } ?? .daily(time)
  }

  func cronLine() -> CronLine? {
    guard let text = text("a cron line in quotes, such as \"30 4 * * mon\"") else { return nil }
    do {
      return try CronText.read(text)
    } catch {
      return refuse("'\(name)': \(error.message)")
    }
  }
}
