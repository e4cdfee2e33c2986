/// Lines of source, grouped for a sentence: `Sources/A/A.swift:3, 10–12; Sources/A/B.swift:7`.
package struct LinePlaces: Hashable, Sendable {
  /// Lines of one file that follow each other.
  package struct Place: Hashable, Sendable {
    package var path: String
    package var lines: ClosedRange<Int>

    package init(path: String, lines: ClosedRange<Int>) {
      self.path = path
      self.lines = lines
    }

    /// `14` or `14–18`.
    package var range: String {
      lines.count == 1 ? "\(lines.lowerBound)" : "\(lines.lowerBound)–\(lines.upperBound)"
    }
  }

  package let places: [Place]

  /// Groups lines that follow each other in the given order.
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

  /// The first places, each file named once in a row.
  package func text(first count: Int) -> String {
    var text = ""
    var path: String?
    for place in places.prefix(count) {
      if place.path == path {
        text += ", \(place.range)"
      } else {
        text += "\(path == nil ? "" : "; ")\(place.path):\(place.range)"
        path = place.path
      }
    }
    return text
  }

  /// How many lines the first places leave unsaid.
  package func lineCount(behind count: Int) -> Int {
    places.dropFirst(count).reduce(0) { $0 + $1.lines.count }
  }
}
