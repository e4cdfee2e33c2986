/// A part of the day that has a greeting of its own.
public enum PartOfDay: String, Sendable {
  case morning, afternoon, evening, night

  /// Hours from 0 to 23; anything else has no part.
  public init?(hour: Int) {
    switch hour {
    case 5..<12: self = .morning
    case 12..<18: self = .afternoon
    case 18..<22: self = .evening
    case 22...23, 0..<5: self = .night
    default: return nil
    }
  }
}
