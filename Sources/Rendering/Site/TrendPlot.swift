import Model

/// A figure over integrations, readable without a script: a line with points, with gaps where nothing was measured. The
/// newest value stands above it, and the table of integrations has the same figures.
struct TrendPlot {
  /// One integration on the axis.
  struct Point {
    var number: Int
    /// Nil if nothing was measured.
    var value: Int?
    /// The parts of the value that are not green; drawn only for bars.
    var red = 0
    var amber = 0
    var grey = 0
    /// Whether it was red then; a line has a larger dot there.
    var isRed = false
    /// Whether tests did not run, so that the value is not of all; a line has a hollow dot, and is broken beside it.
    var isPartial = false
    /// The tooltip of the point.
    var title: String
  }

  enum Shape {
    case line(color: StaticString, stroke: StaticString)
    /// Green bars with their grey, amber and red parts on top.
    case bars
  }

  /// Oldest first.
  let points: [Point]
  let shape: Shape
  /// The text alternative of the picture.
  let label: String
  /// Formats a value on the axis.
  var words: (Int) -> String = CountText.plain
  /// The minimum range of the axis, so that a very small value does not look like a large one.
  var least = 1
  /// How many times the median the axis reaches at most, so that a few outliers do not flatten the others; they are then
  /// arrows at the top with their values beside them. Nil for an axis that reaches every value.
  var mostOfMedian: Int?

  private static let left = 44, right = 330, top = 14, bottom = 92
  /// The distance at which arrows have room for their values between them.
  private static let roomForValue = 60
  private static let widthOfLetter = 6
  /// The height of the least part of a bar.
  private static let leastOfBar = 3

  var html: SafeHTML {
    var html = SafeHTML(#"<svg class="plot" viewBox="0 0 344 118" role="img" aria-label=""#)
    html.append(escaping: label)
    html.append(#""><path class="s-rule" d="M44 92H330M44 14H330"/>"#)
    for value in [highest, 0] { html.append(axis: value == 0 ? "0" : words(value), y: y(value)) }
    html.appendAxis(points.map(\.number), x: x)
    switch shape {
    case .line(let color, let stroke): appendLine(color, stroke, to: &html)
    case .bars: appendBars(to: &html)
    }
    html.append("</svg>")
    return html
  }

  /// The largest value that is no outlier, and at least one, so that a plot of zeros is flat at the bottom.
  private var highest: Int {
    let known = points.compactMap(\.value)
    let values = known.sorted()
    guard let mostOfMedian, let newest = known.last else { return max(values.last ?? least, least) }
    let limit = max(values[values.count / 2] * mostOfMedian, least)
    // The newest value is what one looks for, and many are no outliers.
    let areFew = values.count { $0 > limit } <= max(values.count / 10, 1)
    return max(newest <= limit && areFew ? values.last { $0 <= limit } ?? least : values.last ?? least, least)
  }

  private var isOfBars: Bool { if case .bars = shape { true } else { false } }

  private var barWidth: Int { max(2, min(10, (Self.right - Self.left) / max(points.count, 1) - 3)) }

  private func x(_ index: Int) -> Int {
    guard points.count > 1 else { return Self.right }
    // A bar stands on both sides of its place.
    let (left, right) = isOfBars ? (Self.left + barWidth / 2 + 1, Self.right - barWidth / 2) : (Self.left, Self.right)
    return left + (right - left) * index / (points.count - 1)
  }

  private func y(_ value: Int) -> Int {
    Self.bottom - Int(Double(Self.bottom - Self.top) * Double(min(value, highest)) / Double(highest) + 0.5)
  }

  // MARK: Lines

  /// Appends the line: solid between neighbouring points, dashed across gaps and beside what is not of all tests.
  private func appendLine(_ color: StaticString, _ stroke: StaticString, to html: inout SafeHTML) {
    let known = points.indices.filter { points[$0].value != nil }
    guard let first = known.first, let last = known.last else { return }
    var area = SafeHTML()
    area.append(move: "M", x(first), Self.bottom)
    for index in known { area.append(move: "L", x(index), y(points[index].value ?? 0)) }
    area.append(move: "L", x(last), Self.bottom)
    html.append(#"<path class="area "#)
    html.append(color)
    html.append(#"" d=""#)
    html.append(area)
    html.append(#"z"/>"#)
    for (one, next) in zip(known, known.dropFirst()) {
      html.append(#"<path class="line "#)
      html.append(stroke)
      let isSolid = next == one + 1 && !points[one].isPartial && !points[next].isPartial
      html.append(isSolid ? #"" d=""# : #"" stroke-dasharray="2 3" d=""#)
      html.append(move: "M", x(one), y(points[one].value ?? 0))
      html.append(move: "L", x(next), y(points[next].value ?? 0))
      html.append(#""/>"#)
    }
    let highest = highest
    for index in known { append(points[index], at: x(index), highest: highest, color, stroke, to: &html) }
    for group in beyond(highest) { append(beyond: group, to: &html) }
  }

  /// Returns the points that the axis does not reach, those that stand close together in one group.
  private func beyond(_ highest: Int) -> [[Int]] {
    let beyond = points.indices.filter { points[$0].value ?? 0 > highest }
    return beyond.reduce(into: []) { groups, index in
      if let last = groups.last?.last, x(index) - x(last) < Self.roomForValue {
        groups[groups.count - 1].append(index)
      } else {
        groups.append([index])
      }
    }
  }

  /// Appends the values of a group of arrows beside it, on the side where there is room.
  private func append(beyond group: [Int], to html: inout SafeHTML) {
    let values = group.compactMap { points[$0].value }
    guard let first = group.first, let last = group.last, let lowest = values.min(), let most = values.max() else {
      return
    }
    let ends = [words(lowest), words(most)]
    let text = ends[0] == ends[1] ? ends[0] : ends.joined(separator: " to ")
    let isLeft = x(last) + 8 + text.count * Self.widthOfLetter > Self.right
    html.append(#"<text y="13" x=""#)
    html.append(number: isLeft ? x(first) - 8 : x(last) + 8)
    html.append(isLeft ? #"" text-anchor="end">"# : #"">"#)
    html.append(escaping: text)
    html.append("</text>")
  }

  /// Appends a dot, or an arrow at the top for what the axis does not reach.
  private func append(
    _ point: Point, at x: Int, highest: Int, _ color: StaticString, _ stroke: StaticString, to html: inout SafeHTML
  ) {
    let value = point.value ?? 0
    let isBeyond = value > highest
    html.append(isBeyond ? #"<path class=""# : #"<circle class=""#)
    if point.isPartial {
      html.append("hollow ")
      html.append(stroke)
    } else {
      html.append(point.isRed ? "f-red" : color)
    }
    if isBeyond {
      html.append(#"" d="M"#)
      html.append(number: x - 5)
      html.append(#" 14l5 -8l5 8z">"#)
    } else {
      html.append(#"" cx=""#)
      html.append(number: x)
      html.append(#"" cy=""#)
      html.append(number: y(value))
      html.append(point.isRed ? #"" r="4">"# : #"" r="2.2">"#)
    }
    html.append(title: point.title)
    html.append(isBeyond ? "</path>" : "</circle>")
  }

  // MARK: Bars

  private func appendBars(to html: inout SafeHTML) {
    let width = barWidth
    for (index, point) in points.enumerated() {
      let middle = x(index)
      html.append("<g>")
      html.append(title: point.title)
      if let value = point.value {
        let left = middle - width / 2
        // A single red test among thousands must be visible, in a bar as high as one without.
        var (top, rest) = (y(value), value)
        for (part, style) in [(point.red, "f-red" as StaticString), (point.amber, "f-amber"), (point.grey, "f-grey")]
        where part > 0 {
          rest -= part
          let next = min(max(y(max(rest, 0)), top + Self.leastOfBar), Self.bottom)
          rectangle(style, left, top, width, next, to: &html)
          top = next
        }
        if top < Self.bottom { rectangle("f-green", left, top, width, Self.bottom, to: &html) }
      } else {
        html.append(#"<path class="s-ink" d="M"#)
        html.append(number: middle - 3)
        html.append(#" 86l6 6m0-6l-6 6"/>"#)
      }
      html.append("</g>")
    }
  }

  private func rectangle(
    _ style: StaticString, _ x: Int, _ top: Int, _ width: Int, _ bottom: Int, to html: inout SafeHTML
  ) {
    html.append(#"<rect class=""#)
    html.append(style)
    html.append(#"" x=""#)
    html.append(number: x)
    html.append(#"" y=""#)
    html.append(number: top)
    html.append(#"" width=""#)
    html.append(number: width)
    html.append(#"" height=""#)
    html.append(number: bottom - top)
    html.append(#""/>"#)
  }
}
