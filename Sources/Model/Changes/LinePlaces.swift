/// Lines of source, grouped for a sentence: `Sources/A/A.swift:3, 10–12; Sources/A/B.swift:7`.
package struct LinePlaces: Hashable, Sendable {
  /// Consecutive lines of one file.
  package struct Place: Hashable, Sendable {
    package var path: String
    package var lines: ClosedRange<Int>

    package init(path: String, lines: ClosedRange<Int>) {
      self.path = path
      self.lines = lines
    }

    /// `14` or `14–18`.
    package var range: String { CountText.range(lines) }
  }

  package let places: [Place]

  /// Groups lines that are consecutive in the given order.
  package init(_ lines: [SourceLocation]) {
    var places: [Place] = []
    for line in lines {
      if let last = places.last, last.path == line.file, last.lines.upperBound + 1 == line.line {
        places[places.count - 1].lines = last.lines.lowerBound...line.line
      } else {
        places.append(Place(path: line.file, lines: line.line...line.line))
      }
    }
    self.places = places
  }

  /// Returns the first places as text, naming a file once for consecutive places in it.
  ///
  /// - Parameter name: returns the displayed name of a file.
  package func text(first count: Int, _ name: (String) -> String = { $0 }) -> String {
    var text = ""
    var path: String?
    for place in places.prefix(count) {
      if place.path == path {
        text += ", \(place.range)"
      } else {
        text += "\(path == nil ? "" : "; ")\(name(place.path)):\(place.range)"
        path = place.path
      }
    }
    return text
  }

  /// Returns the number of lines in the places beyond the first ones.
  package func lineCount(behind count: Int) -> Int {
    places.dropFirst(count).reduce(0) { $0 + $1.lines.count }
  }
}
