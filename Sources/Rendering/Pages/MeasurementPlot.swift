import Model

/// The averages of one metric over integrations, each with the spread of its values.
///
/// The plot starts at zero, so that heights can be compared. An integration without a figure is shown as a cross,
/// across which the line is broken, and a vertical line marks figures whose circumstances differ from the previous one
/// in more than the commits.
struct MeasurementPlot {
  /// The full size, or that of a sparkline within text.
  enum Size {
    case whole, small

    var left: Int { self == .whole ? 44 : 8 }
    var right: Int { self == .whole ? 330 : 112 }
    var top: Int { self == .whole ? 14 : 3 }
    var bottom: Int { self == .whole ? 92 : 21 }
  }

  private let points: [MeasurementTrend.Point]
  private let trend: MeasurementTrend
  private let size: Size

  init(_ trend: MeasurementTrend, size: Size = .whole) {
    self.trend = trend
    self.size = size
    points = trend.points.reversed()
  }

  var html: SafeHTML {
    var html =
      size == .whole
      ? SafeHTML(#"<svg class="plot" viewBox="-14 0 358 118" role="img" aria-label=""#)
      : SafeHTML(#"<svg class="spark" viewBox="0 0 120 24" width="120" height="24" role="img" aria-label=""#)
    html.append(escaping: label)
    html.append(#"">"#)
    if size == .whole {
      html.append(#"<path class="s-rule" d="M44 92H330M44 14H330"/>"#)
      html.append(axis: MeasurementWords.value(highest, unit: trend.unit), y: y(highest))
      html.append(axis: "0", y: y(0))
      html.appendAxis(points.map(\.number), x: x)
    }
    appendLines(to: &html)
    for index in points.indices { appendPoint(index, to: &html) }
    html.append("</svg>")
    return html
  }

  /// The text alternative of the picture.
  private var label: String {
    let known = points.compactMap { point in point.figure.map { (point.number, MeasurementWords.average($0)) } }
    guard let first = known.first, let last = known.last else { return trend.metric }
    let gaps = points.filter { $0.figure == nil }.map { "\($0.number)" }
    let words = "\(trend.metric) from \(first.1) in \(first.0) to \(last.1) in \(last.0)"
    return words + (gaps.isEmpty ? "" : "; nothing known of \(CountText.list(gaps))")
  }

  // MARK: Places

  private var highest: Double {
    let highest = points.compactMap(\.figure).map(Self.upper).max() ?? 0
    return highest > 0 ? highest : 1
  }

  private static func upper(_ figure: MeasuredFigure) -> Double {
    figure.varies ? figure.average * (1 + min(figure.deviation, 4)) : figure.average
  }

  private func x(_ index: Int) -> Int {
    guard points.count > 1 else { return size.right }
    return size.left + (size.right - size.left) * index / (points.count - 1)
  }

  private func y(_ value: Double) -> Int {
    let share = min(max(value / highest, 0), 1)
    return size.bottom - Int((Double(size.bottom - size.top) * share).rounded())
  }

  // MARK: Drawing

  /// Appends a line between each two figures, broken if integrations between them have none.
  private func appendLines(to html: inout SafeHTML) {
    let known = points.indices.filter { points[$0].figure != nil }
    for (one, next) in zip(known, known.dropFirst()) {
      html.append(#"<path class="line s-accent""#)
      html.append(next == one + 1 ? #" d=""# : #" stroke-dasharray="2 3" d=""#)
      html.append(move: "M", x(one), y(points[one].figure?.average ?? 0))
      html.append(move: "L", x(next), y(points[next].figure?.average ?? 0))
      html.append(#""/>"#)
    }
  }

  private func appendPoint(_ index: Int, to html: inout SafeHTML) {
    let point = points[index]
    html.append("<g>")
    html.append(title: MeasurementRow(point, of: trend).words)
    if let figure = point.figure {
      if !point.differing.isEmpty { appendMark(at: index, to: &html) }
      if figure.varies {
        html.append(#"<path class="spread s-accent" d=""#)
        html.append(move: "M", x(index), y(figure.average * (1 - min(figure.deviation, 1))))
        html.append(move: "L", x(index), y(Self.upper(figure)))
        html.append(#""/>"#)
      }
      html.append(#"<circle class="f-accent" cx=""#)
      html.append(number: x(index))
      html.append(#"" cy=""#)
      html.append(number: y(figure.average))
      html.append(#"" r="2.2"/>"#)
    } else {
      html.append(#"<path class="s-ink" d=""#)
      html.append(move: "M", x(index) - 3, size.bottom - 6)
      html.append(#"l6 6m0-6l-6 6"/>"#)
    }
    html.append("</g>")
  }

  /// Appends a vertical line half a step before the point.
  private func appendMark(at index: Int, to html: inout SafeHTML) {
    let place = index > 0 ? (x(index) + x(index - 1)) / 2 : x(index)
    html.append(#"<path class="s-ink" stroke-dasharray="1 2" d=""#)
    html.append(move: "M", place, size.top)
    html.append(move: "L", place, size.bottom)
    html.append(#""/>"#)
  }
}
