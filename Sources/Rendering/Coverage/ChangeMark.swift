import Model

/// What changed in one line of a source.
enum ChangeMark: Hashable, Sendable {
  case new
  /// With the number of the runs then, where it is known.
  case lost(before: UInt64?)
  /// The line still runs, but a part of it that ran does not any more.
  case lostPart
  case gained, included, excluded
  /// Lost or gained, but by chance, with the number of the runs then.
  case chance(before: UInt64?)
  case chancePart

  /// The place in the legend, which is the mark's name in the keys of pages, too.
  var kind: Int {
    switch self {
    case .new: 0
    case .lost: 1
    case .lostPart: 2
    case .gained: 3
    case .included: 4
    case .excluded: 5
    case .chance: 6
    case .chancePart: 7
    }
  }

  /// How the mark looks.
  struct Face {
    /// By what the lines of a page are chosen.
    var key: String
    var sign: String
    /// Whether something came; otherwise something went.
    var isAdded: Bool
    /// The class of the sign in the style sheet, which names what the element alone does not tell.
    var style: String?
  }

  var face: Face {
    switch self {
    case .new: Face(key: "new", sign: "+", isAdded: true)
    case .lost, .lostPart: Face(key: "lost", sign: "▼", isAdded: false)
    case .gained: Face(key: "gained", sign: "▲", isAdded: true, style: "g")
    case .included: Face(key: "included", sign: "i", isAdded: true, style: "i")
    case .excluded: Face(key: "excluded", sign: "e", isAdded: false, style: "e")
    case .chance, .chancePart: Face(key: "chance", sign: "~", isAdded: true, style: "c")
    }
  }

  /// How often the line ran then.
  var before: UInt64? {
    switch self {
    case .lost(let before), .chance(let before): before
    default: nil
    }
  }

  /// What is said behind the line; nil where the sign says it all.
  func words(since baseline: Int?) -> String? {
    let baseline = baseline ?? 0
    return switch self {
    case .lost(let before): ChangeWords.before(before, in: baseline)
    case .lostPart: "a part of it ran in \(baseline)"
    case .chance(before: 0): "runs by chance, not in \(baseline)"
    case .chance(let before): "runs by chance, \(ChangeWords.before(before, in: baseline))"
    case .chancePart: "a part of it runs by chance, as in \(baseline)"
    case .new, .gained, .included, .excluded: nil
    }
  }

  /// What the sign means in the legend.
  /// - Parameter isHeader: whether the line is of a header in C, of which not each run is counted.
  func meaning(since baseline: Int?, isHeader: Bool = false) -> String {
    let since = baseline.map { "in \($0)" } ?? "before"
    let anyMore = isHeader ? "without a counted run now" : "not any more"
    return switch self {
    case .new: "new line"
    case .lost: "ran \(since), \(anyMore)"
    case .lostPart: "a part ran \(since), \(anyMore)"
    case .gained: "\(isHeader ? "had no counted run" : "did not run") \(since)"
    case .included: "not counted \(since)"
    case .excluded: "counted \(since), not any more"
    case .chance, .chancePart: "runs by chance"
    }
  }
}
