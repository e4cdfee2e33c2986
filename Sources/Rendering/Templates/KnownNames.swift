import Model

/// The names of which one was mistaken, for messages.
struct KnownNames {
  /// What they are, such as `Known templates`.
  let title: String
  let names: [String]

  /// - Parameter names: in any order.
  init(_ title: String, _ names: some Collection<String>) {
    self.title = title
    self.names = names.sorted()
  }

  /// The name that was probably meant, or else all, cut where they become many.
  func advice(for name: String) -> String {
    if let nearest = EditDistance.nearest(to: name, among: names).first { return "Did you mean \"\(nearest)\"?" }
    if names.isEmpty { return "\(title): none." }
    let rest = names.count > 12 ? " and \(names.count - 12) more" : ""
    return "\(title): \(names.prefix(12).joined(separator: ", "))\(rest)."
  }
}
