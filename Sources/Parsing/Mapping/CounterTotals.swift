import Model

/// What several processes counted together.
package struct CounterTotals: Sendable {
  private var counters: [CoverageMapping.Identity: [UInt64]] = [:]
  /// The names of the functions that counted anything.
  private var names: Set<UInt64> = []

  package init() {}

  /// Whether nothing was counted.
  package var isEmpty: Bool { counters.isEmpty }

  /// Adds the counters of one process.
  ///
  /// - Parameters:
  ///   - profile: as LLVM's runtime writes them.
  ///   - times: how many processes counted the same.
  /// - Throws: when they cannot be read; then nothing is added.
  package mutating func add(_ profile: [UInt8], times: UInt64 = 1) throws {
    let functions = try RawProfile(profile).functions
    profile.withUnsafeBytes { bytes in
      for function in functions {
        let counted = function.words.map(bytes.word)
        guard counted.contains(where: { $0 > 0 }) else { continue }
        names.insert(function.function.name)
        var sums = counters[function.function] ?? Array(repeating: 0, count: counted.count)
        for index in counted.indices.prefix(sums.count) {
          let (product, overflows) = counted[index].multipliedReportingOverflow(by: times)
          sums[index] = sums[index].adding(overflows ? .max : product)
        }
        counters[function.function] = sums
      }
    }
  }

  /// The counters of a function; none where nothing of it ran, and nil where only another function of its name did.
  func counts(of function: CoverageMapping.Identity) -> [UInt64]? {
    counters[function] ?? (names.contains(function.name) ? nil : [])
  }
}

/// What a test process counted between two moments, as its observer tells it.
package struct CounterChanges: Hashable, Sendable {
  /// By how much one word of the counters grew.
  struct Change: Hashable {
    /// The place of the counters among those that the process moved.
    var part: Int
    var word: Int
    var growth: UInt64
  }

  private(set) var changes: [Change] = []

  /// Nil for a record of another kind.
  package init?(_ record: ObserverRecord) {
    guard record.kind == .counted else { return nil }
    var reader = BinaryReader(record.bytes, input: "what a test counted")
    do {
      let part = try reader.shortCount()
      var word = 0
      while !reader.isAtEnd {
        word += try reader.shortCount()
        changes.append(Change(part: part, word: word, growth: try reader.shortNumber()))
      }
    } catch {
      return nil
    }
  }
}
