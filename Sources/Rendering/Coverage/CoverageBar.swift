import Model

/// A bar that shows a coverage figure: uncovered lines first, then those that partly ran, then those that ran.
struct CoverageBar {
  let lines: LineTally
  /// The width in user units of the picture.
  let width: Int

  /// Returns the picture; a share other than zero is always wide enough to see.
  /// - Parameter isLabelled: whether the bar needs a label because no figures beside it state the same.
  func html(isLabelled: Bool = false) -> SafeHTML {
    var html = SafeHTML(#"<svg class=bar viewBox="0 0 "#)
    html.append(number: width)
    html.append(#" 6" preserveAspectRatio=none "#)
    if isLabelled {
      html.append(#"role=img aria-label=""#)
      html.append(escaping: label)
      html.append(#"">"#)
    } else {
      html.append("aria-hidden=true>")
    }
    guard lines.total > 0 else {
      appendSegment("track", 0, width * 10, to: &html)
      html.append("</svg>")
      return html
    }
    let parts = tenths
    if parts.red < width * 10 { appendSegment("green", 0, width * 10, to: &html) }
    if parts.amber > 0 { appendSegment("amber", parts.red, parts.amber, to: &html) }
    if parts.red > 0 { appendSegment("red", 0, parts.red, to: &html) }
    html.append("</svg>")
    return html
  }

  private var label: String {
    let ran = lines.covered - lines.partial
    return "\(lines.uncovered) never ran, \(lines.partial) partly ran, \(ran) ran"
  }

  /// The widths of the red and amber parts in tenths of a unit; each nonempty part takes at least two units.
  private var tenths: (red: Int, amber: Int) {
    let whole = width * 10
    func share(_ count: Int) -> Int {
      count <= 0 ? 0 : min(max(Int(Double(count) / Double(lines.total) * Double(whole) + 0.5), 20), whole)
    }
    var red = share(lines.uncovered)
    var amber = share(lines.partial)
    let room = whole - (lines.covered > lines.partial ? 20 : 0)
    if lines.covered > 0, red > room { red = room }
    if lines.partial > 0, red + amber > room {
      red = min(red, room - 20)
      amber = room - red
    }
    return (max(red, 0), max(amber, 0))
  }

  private func appendSegment(_ color: StaticString, _ x: Int, _ width: Int, to html: inout SafeHTML) {
    html.append("<rect class=f-")
    html.append(color)
    if x > 0 {
      html.append(" x=")
      html.append(tenths: x)
    }
    html.append(" width=")
    html.append(tenths: width)
    html.append(" height=6 />")
  }
}

extension SafeHTML {
  /// Appends a number given in tenths, without a decimal for whole numbers.
  fileprivate mutating func append(tenths: Int) {
    append(number: tenths / 10)
    if tenths % 10 != 0 {
      append(".")
      append(number: tenths % 10)
    }
  }
}
