/// Figures in Prometheus's format (https://prometheus.io/docs/instrumenting/exposition_formats/).
package struct MetricsText: Sendable {
  /// The type of a figure.
  package enum Kind: String, Sendable {
    case gauge, counter
  }

  package private(set) var text = ""

  package init() {}

  /// Appends a figure with its labelled values; nothing if there are none.
  ///
  /// - Parameter help: one sentence without a full stop.
  package mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ values: [(labels: [(name: String, value: String)], value: Double)]
  ) {
    guard !values.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    for (labels, value) in values {
      let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(Self.number(value))\n"
    }
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
