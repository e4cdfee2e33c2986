/// The coverage of two integrations side by side.
package struct CoverageSides: Codable, Sendable, Hashable {
  /// One file that is counted in either.
  package struct File: Codable, Sendable, Hashable {
    package var path: String
    /// The path before, when it was another one.
    package var oldPath: String?
    package var target: String
    /// Nil where the file was not counted.
    package var before: LineTally?
    package var after: LineTally?
    /// The lines by what became of them, by genhtml's codes; nil when they were not compared.
    package var lines: CategoryCounts?
    /// Where lines were lost and gained, and where lines that count only now never ran, ascending; nil for none.
    package var places: [Place]?
    /// Lines that still run, but of which a part that ran does not any more, ascending; nil for none.
    package var lostParts: [Place]?
    /// Lines that ran on one side only, or a part of which did, but by chance, ascending; nil for none. They are in no
    /// other list of places.
    package var byChance: [Place]?

    package init(
      path: String, oldPath: String? = nil, target: String, before: LineTally?, after: LineTally?,
      lines: CategoryCounts? = nil, places: [Place]? = nil
    ) {
      self.path = path
      self.oldPath = oldPath
      self.target = target
      self.before = before
      self.after = after
      self.lines = lines
      self.places = places
    }

    /// The places of all lists.
    package var allPlaces: [Place] { (places ?? []) + (lostParts ?? []) + (byChance ?? []) }

    /// The folder that it lies in, with a slash at the end; `./` is the top of the package.
    package var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }

    /// Whether anything is other than it was.
    package var isChanged: Bool {
      before != after || oldPath != nil || lines?.hasChanges == true || lostParts != nil || byChance != nil
    }
  }

  /// All counted files of a target in one folder, the unchanged ones too.
  package struct Directory: Codable, Sendable, Hashable {
    package var target: String
    /// With a slash at the end; `./` is the top of the package.
    package var path: String
    /// The sum of its files; nil where none was counted.
    package var before: LineTally?
    package var after: LineTally?

    package init(target: String, path: String, before: LineTally?, after: LineTally?) {
      self.target = target
      self.path = path
      self.before = before
      self.after = after
    }
  }

  /// Lines of one file that follow each other, and of which the same became, by their numbers in the second.
  package struct Place: Codable, Sendable, Hashable {
    package var category: ChangeCategory
    package var first: Int
    package var last: Int
    /// The innermost function that they are in; nil where none is known.
    package var function: String?

    package init(_ category: ChangeCategory, first: Int, last: Int, function: String? = nil) {
      self.category = category
      self.first = first
      self.last = last
      self.function = function
    }

    package var count: Int { last - first + 1 }

    /// `14` or `14–18`.
    package var range: String { first == last ? "\(first)" : "\(first)–\(last)" }
  }

  /// The totals; nil where there is no coverage, and then why.
  package var before: CoverageTotals?
  package var beforeReason: String?
  package var after: CoverageTotals?
  package var afterReason: String?
  /// The files in which something changed, sorted by path.
  package var files: [File]
  /// Every folder with counted files, by where they are now, sorted by target and path.
  package var directories: [Directory]
  /// How many files are as they were.
  package var sameFiles: Int
  /// Every line and region by what became of it, by genhtml's codes; nil when they were not compared, and then why.
  package var lines: CategoryCounts?
  package var regions: CategoryCounts?
  package var reason: String?
  /// How many of the lost and gained lines run by chance; nil for none.
  package var byChance: CategoryCounts?
  /// Counted files that could not be compared line by line; they are in no category.
  package var unmapped: [String]?
  /// The numbers of the integrations of one of the two commits that showed what runs by chance, ascending: others than
  /// the two, unless both are of one commit and the first is a witness itself.
  package var witnesses: [Int]?
  /// Those of the witnesses that are of the first's commit.
  package var witnessesBefore: [Int]?
  /// The lines that count in one of the two only, because the other leaves them out on request; nil for none.
  package var leftOut: LeftOutLines?

  package init(
    before: CoverageTotals?, beforeReason: String? = nil, after: CoverageTotals?, afterReason: String? = nil,
    files: [File], directories: [Directory] = [], sameFiles: Int = 0, lines: CategoryCounts? = nil,
    regions: CategoryCounts? = nil,
    reason: String? = nil, unmapped: [String]? = nil
  ) {
    self.before = before
    self.beforeReason = beforeReason
    self.after = after
    self.afterReason = afterReason
    self.files = files
    self.directories = directories
    self.sameFiles = sameFiles
    self.lines = lines
    self.regions = regions
    self.reason = reason
    self.unmapped = unmapped
  }
}
