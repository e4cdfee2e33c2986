import Model

extension TestMeasurement {
  /// Reads XCTest's message about a `measure` block:
  /// `measured [Time, seconds] average: 0.001, relative standard deviation: 9.5%, values: [0.001, 0.002], …`.
  init?(_ text: String) {
    guard let rest = text.dropping("measured ["), let end = rest.firstIndex(of: "]") else { return nil }
    let unit = rest[..<end].split(separator: ",", maxSplits: 1).map { $0.drop(while: \.isWhitespace) }
    guard
      let values = rest[end...].firstRange(ofASCII: "values: [").map({ rest[$0.upperBound...].prefix { $0 != "]" } })
    else {
      return nil
    }
    let numbers = values.split(separator: ",").map { Double($0.filter { !$0.isWhitespace }) }
    guard let metric = unit.first, !numbers.isEmpty, numbers.allSatisfy({ $0?.isFinite == true }) else { return nil }
    self.init(
      metric: String(metric), unit: unit.count > 1 ? String(unit[1]) : "", values: numbers.compactMap(\.self))
  }
}
