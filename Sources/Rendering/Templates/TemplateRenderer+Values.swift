extension TemplateRenderer {
  /// Puts a value in.
  mutating func write(_ path: Template.Path, isEscaped: Bool) throws(TemplateError) {
    switch try lookUp(path) {
    case .missing: return
    case .flag(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let number): write(number)
    case .text(let text):
      if isEscaped {
        escaping.append(text, to: &output)
      } else if mode == .lenient {
        output.append(contentsOf: text.utf8)
      } else {
        throw failure(
          at: path.offset, "\"\(path.text)\" is a text, and only values typed as safe HTML may be put in unescaped",
          advice: "Write {{\(path.text)}}.")
      }
    case .html(let html):
      if !isEscaped {
        output.append(contentsOf: html.bytes)
      } else if mode == .lenient {
        HTMLEscaper.append(html.bytes, to: &output)
      } else {
        throw failure(
          at: path.offset, "\"\(path.text)\" is safe HTML, and two braces would escape it again",
          advice: "Write {{{\(path.text)}}}.")
      }
    case .list, .record: try refuse(path)
    }
  }

  /// Lists and records have no text of their own.
  private func refuse(_ path: Template.Path) throws(TemplateError) {
    if mode == .lenient { return }
    throw failure(
      at: path.offset, "\"\(path.text)\" is \(try lookUp(path).kind) and cannot be put in as text",
      advice: "Open it with {{#\(path.text)}} and put in what it holds.")
  }

  private mutating func write(_ number: Int) {
    if number < 0 { output.append(UInt8(ascii: "-")) }
    let start = output.count
    var rest = number.magnitude
    repeat {
      output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    output[start...].reverse()
  }
}

extension TemplateValue {
  /// Whether a section shows this value.
  var isSomething: Bool {
    switch self {
    case .missing: false
    case .flag(let flag): flag
    case .text(let text): !text.isEmpty
    case .html(let html): !html.bytes.isEmpty
    case .list(let items): !items.isEmpty
    case .number, .record: true
    }
  }
}
