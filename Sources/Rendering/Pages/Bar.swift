/// A horizontal bar of coloured segments, positioned in the bar's own units.
struct Bar {
  private static let width = 400.0

  private var segments: [TemplateValue] = []
  private let label: String?

  /// Creates a bar whose segments share its width in proportion to their counts; nonzero segments are always visible.
  init(_ parts: [(color: String, count: Int)], label: String? = nil) {
    self.label = label
    let shown = parts.filter { $0.count > 0 }
    let whole = shown.reduce(0.0) { $0 + Double($1.count) }
    let widths = shown.map { max(Double($0.count) / whole * Self.width, 3) }
    let scale = Self.width / widths.reduce(0, +)
    var x = 0.0
    for (part, width) in zip(shown, widths) {
      segments.append(Self.segment(part.color, x: x, width: width * scale))
      x += width * scale
    }
  }

  /// Creates a bar filled up to a share between 0 and 1, on an empty track.
  init(share: Double) {
    label = nil
    segments = [Self.segment("track", x: 0, width: Self.width)]
    let filled = share.isFinite ? min(max(share, 0), 1) * Self.width : 0
    if filled > 0 { segments.append(Self.segment("accent", x: 0, width: max(filled, 2))) }
  }

  private static func segment(_ color: String, x: Double, width: Double) -> TemplateValue {
    .record(["color": .text(color), "x": .text(tenths(x)), "width": .text(tenths(width))])
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  var record: TemplateValue {
    .record(["segments": .list(segments), "label": .optional(label)])
  }
}
