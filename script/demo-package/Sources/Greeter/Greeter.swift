/// Says hello at the right time of day.
public struct Greeter: Sendable {
  /// Hours in which nobody is greeted aloud.
  public var quietHours: Range<Int>?

  public init(quietHours: Range<Int>? = nil) {
    self.quietHours = quietHours
  }

  /// The greeting for one visitor at a full hour of the day.
  public func greeting(for name: String, hour: Int) -> String {
    if let quietHours, quietHours.contains(hour) {
      return whisper(to: name)
    }
    guard let part = PartOfDay(hour: hour) else {
      return "Hello, \(name)"
    }
    return part == .night ? "Good night, \(name)" : "Good \(part.rawValue), \(name)"
  }

  private func whisper(to name: String) -> String {
    let quiet = name.lowercased()
    return "psst, \(quiet)"
  }
}
