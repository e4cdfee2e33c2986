/// The coverage of two integrations side by side.
package struct CoverageSides: Codable, Sendable, Hashable {
  /// One file that is counted in either integration.
  package struct File: Codable, Sendable, Hashable {
    package var path: String
    /// The earlier path, if it was different.
    package var oldPath: String?
    package var target: String
    /// Nil if the file was not counted.
    package var before: LineTally?
    package var after: LineTally?
    /// The number of lines by genhtml's category codes; nil if the lines were not compared.
    package var lines: CategoryCounts?
    /// How many of the lost and gained lines run by chance; `lines` includes them. Nil if none does.
    package var linesByChance: CategoryCounts?
    /// How many of the new lines hold only comments or blanks, which LLVM counts inside functions; `lines` includes them.
    /// Nil if none does, and in older documents.
    package var silent: CategoryCounts?
    /// The places where lines were lost or gained, and where lines that count only now never ran, ascending; nil if
    /// there are none.
    package var places: [Place]?
    /// The lines that still run, but of which a part that ran before no longer does, ascending; nil if there are none.
    package var lostParts: [Place]?
    /// The lines that ran before, too, but of which a part runs only now, ascending; nil if there are none, and in older
    /// documents.
    package var gainedParts: [Place]?
    /// The new lines of which only a part ran, ascending; nil if there are none, and in older documents.
    package var newParts: [Place]?
    /// The lines that ran on one side only by chance, in whole or in part, ascending; nil if there are none. They are
    /// in no other list of places.
    package var byChance: [Place]?

    package init(
      path: String, oldPath: String? = nil, target: String, before: LineTally?, after: LineTally?,
      lines: CategoryCounts? = nil
    ) {
      self.path = path
      self.oldPath = oldPath
      self.target = target
      self.before = before
      self.after = after
      self.lines = lines
    }

    /// The places of all lists.
    package var allPlaces: [Place] {
      [places, lostParts, gainedParts, newParts, byChance].compactMap(\.self).flatMap(\.self)
    }

    /// The folder of the file, with a trailing slash; `./` is the top of the package.
    package var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }

    /// Whether anything changed.
    package var isChanged: Bool {
      before != after || oldPath != nil || lines?.hasChanges == true || lostParts != nil || gainedParts != nil
        || byChance != nil
    }
  }

  /// All counted files of a target in one folder, including the unchanged ones.
  package struct Directory: Codable, Sendable, Hashable {
    package var target: String
    /// With a trailing slash; `./` is the top of the package.
    package var path: String
    /// The sum of the folder's files; nil if none was counted.
    package var before: LineTally?
    package var after: LineTally?

    package init(target: String, path: String, before: LineTally?, after: LineTally?) {
      self.target = target
      self.path = path
      self.before = before
      self.after = after
    }
  }

  /// Consecutive lines of one file in the same category, by their numbers in the second integration.
  package struct Place: Codable, Sendable, Hashable {
    package var category: ChangeCategory
    package var first: Int
    package var last: Int
    /// The innermost function containing the lines; nil if none is known.
    package var function: String?
    /// How many of the lines hold only comments or blanks; nil if none does.
    package var silent: Int?

    package init(
      _ category: ChangeCategory, first: Int, last: Int, function: String? = nil, silent: Int? = nil
    ) {
      self.category = category
      self.first = first
      self.last = last
      self.function = function
      self.silent = silent
    }

    /// The number of its lines with code.
    package var count: Int { last - first + 1 - (silent ?? 0) }

    /// `14` or `14–18`.
    package var range: String { CountText.range(first, last) }
  }

  /// The totals, or the reason why there is no coverage.
  package var before: CoverageTotals?
  package var beforeReason: String?
  package var after: CoverageTotals?
  package var afterReason: String?
  /// The files with changes, sorted by path.
  package var files: [File]
  /// Every folder with counted files, by current location, sorted by target and path.
  package var directories: [Directory]
  /// The number of unchanged files.
  package var sameFiles: Int
  /// The number of lines and regions by genhtml's category codes; nil if they were not compared, with the reason.
  package var lines: CategoryCounts?
  package var regions: CategoryCounts?
  package var reason: String?
  /// How many of the lost and gained lines run by chance; nil if none does.
  package var byChance: CategoryCounts?
  /// Counted files that could not be compared line by line; they are in no category.
  package var unmapped: [String]?
  /// The numbers of the integrations of either commit that showed what runs by chance, ascending. They do not include
  /// the two compared integrations, unless both are of one commit and the first is a witness itself.
  package var witnesses: [Int]?
  /// The witnesses that integrated the first commit.
  package var witnessesBefore: [Int]?
  /// The flaky tests whose failed attempts account for what runs by chance; nil if there are none.
  package var flakyTests: [TestID]?
  /// The lines that count in only one of the two because the other leaves them out on request; nil if there are none.
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
