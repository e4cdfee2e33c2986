import Model

/// The known names, for messages about an unknown one.
struct KnownNames {
  /// The kind of names, such as `Known templates`.
  let title: String
  let names: [String]

  /// - Parameter names: the names, in any order.
  init(_ title: String, _ names: some Collection<String>) {
    self.title = title
    self.names = names.sorted()
  }

  /// Returns the name that was probably meant, otherwise all names, cut if there are many.
  func advice(for name: String) -> String {
    if let nearest = EditDistance.nearest(to: name, among: names).first { return "Did you mean \"\(nearest)\"?" }
    if names.isEmpty { return "\(title): none." }
    let rest = names.count > 12 ? " and \(names.count - 12) more" : ""
    return "\(title): \(names.prefix(12).joined(separator: ", "))\(rest)."
  }
}
