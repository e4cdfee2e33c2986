/// What became of a piece of code and its coverage: genhtml's twelve categories, in its order of importance.
///
/// See the differential categories in https://github.com/linux-test-project/lcov/blob/master/man/genhtml.1 and
/// https://arxiv.org/abs/2008.07947.
package enum ChangeCategory: String, Codable, CaseIterable, Sendable {
  /// New, and never ran.
  case newNeverRan = "UNC"
  /// Unchanged; ran before, and no longer does.
  case lost = "LBC"
  /// Unchanged text that only now counts as code, and never ran.
  case includedNeverRan = "UIC"
  /// Unchanged; never ran, before or now.
  case stillNeverRan = "UBC"
  /// Unchanged; did not run before, and does now.
  case gained = "GBC"
  /// Unchanged text that only now counts as code, and ran.
  case includedRan = "GIC"
  /// New, and ran.
  case newRan = "GNC"
  /// Unchanged; ran before and now.
  case stillRan = "CBC"
  /// Unchanged text that no longer counts as code; had never run.
  case excludedNeverRan = "EUB"
  /// Unchanged text that no longer counts as code; had run.
  case excludedRan = "ECB"
  /// Deleted; had never run.
  case deletedNeverRan = "DUB"
  /// Deleted; had run.
  case deletedRan = "DCB"

  /// Creates the category of something that is code now.
  ///
  /// - Parameters:
  ///   - isNew: whether the text was added or changed.
  ///   - before: whether it ran in the baseline; nil if it was not code there.
  package init(isNew: Bool, before: Bool?, now: Bool) {
    switch (isNew, before, now) {
    case (true, _, let ran): self = ran ? .newRan : .newNeverRan
    case (false, nil, let ran): self = ran ? .includedRan : .includedNeverRan
    case (false, true?, let ran): self = ran ? .stillRan : .lost
    case (false, false?, let ran): self = ran ? .gained : .stillNeverRan
    }
  }

  /// Creates the category of something that was code only in the baseline.
  package init(goneAndDeleted isDeleted: Bool, before: Bool) {
    switch (isDeleted, before) {
    case (true, let ran): self = ran ? .deletedRan : .deletedNeverRan
    case (false, let ran): self = ran ? .excludedRan : .excludedNeverRan
    }
  }

  /// Whether nothing changed.
  package var isSame: Bool { self == .stillRan || self == .stillNeverRan }

  /// The position among all categories.
  fileprivate var ordinal: Int {
    switch self {
    case .newNeverRan: 0
    case .lost: 1
    case .includedNeverRan: 2
    case .stillNeverRan: 3
    case .gained: 4
    case .includedRan: 5
    case .newRan: 6
    case .stillRan: 7
    case .excludedNeverRan: 8
    case .excludedRan: 9
    case .deletedNeverRan: 10
    case .deletedRan: 11
    }
  }
}

/// The number of pieces of code in each category.
package struct CategoryCounts: Hashable, Sendable {
  /// Indexed by ordinal for speed: every line of a package is counted, some of them several times.
  private var counts = [Int](repeating: 0, count: ChangeCategory.allCases.count)

  package init() {}

  package init(_ categories: some Sequence<ChangeCategory>) {
    add(categories)
  }

  package subscript(category: ChangeCategory) -> Int {
    get { counts[category.ordinal] }
    set { counts[category.ordinal] = newValue }
  }

  package static func + (one: CategoryCounts, other: CategoryCounts) -> CategoryCounts {
    var sum = one
    for index in sum.counts.indices { sum.counts[index] += other.counts[index] }
    return sum
  }

  /// Adds one for each category in the sequence.
  package mutating func add(_ categories: some Sequence<ChangeCategory>) {
    for category in categories { counts[category.ordinal] += 1 }
  }

  /// How much code there is now, and how much of it ran.
  package var now: Tally {
    let ran = self[.gained] + self[.includedRan] + self[.newRan] + self[.stillRan]
    let never = self[.newNeverRan] + self[.lost] + self[.includedNeverRan] + self[.stillNeverRan]
    return Tally(total: ran + never, covered: ran)
  }

  /// How many more lines never ran, by what was lost and gained.
  package var uncoveredChange: Int { self[.lost] - self[.gained] }

  /// Whether anything changed.
  package var hasChanges: Bool { ChangeCategory.allCases.contains { !$0.isSame && self[$0] > 0 } }
}

/// The counts are encoded by genhtml's codes; empty categories are left out.
extension CategoryCounts: Codable {
  package init(from decoder: any Decoder) throws {
    let byCode = try decoder.singleValueContainer().decode([String: Int].self)
    for (code, count) in byCode {
      if let category = ChangeCategory(rawValue: code) { self[category] = count }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let found = ChangeCategory.allCases.filter { self[$0] > 0 }
    try container.encode(Dictionary(uniqueKeysWithValues: found.map { ($0.rawValue, self[$0]) }))
  }
}
