package import Model

/// What `llvm-cov export` says: every file with its segments, every function with its regions.
///
/// Segments and regions lie in two flat arrays, and files and functions hold ranges of them, because a package of
/// middle size has tens of thousands of each.
package struct CoverageExport: Sendable {
  /// A boundary: its state holds from here to the next segment of the file.
  package struct Segment: Hashable, Sendable {
    /// From 1.
    package var line: Int
    /// In UTF-8 bytes, from 1.
    package var column: Int
    package var count: UInt64
    /// False where there is no code from here on.
    package var hasCount: Bool
    package var isRegionEntry: Bool
    package var isGapRegion: Bool

    /// Code that never ran.
    var isDead: Bool { hasCount && !isGapRegion && count == 0 }
  }

  /// LLVM's own figures of a file; it counts the lines of every function, so those of closures twice.
  package struct Summary: Hashable, Sendable {
    package var lines = Tally()
    package var functions = Tally()
    package var regions = Tally()
    /// Without the sides of constant conditions, and with what macros bring along at each use.
    package var branches = Tally()
  }

  package struct File: Hashable, Sendable {
    /// As the compiler was given it: absolute, unless the build maps prefixes.
    package var name: String
    package var segments: Range<Int>
    /// In C, C++ and Objective-C; of inline functions and templates, each copy has its own.
    package var conditions = 0..<0
    package var summary: Summary
  }

  package struct Function: Hashable, Sendable {
    /// The mangled name, without the file that LLVM puts before the names of private functions in C.
    package var symbol: String
    package var count: UInt64
    package var regions: Range<Int>
    /// The file that it is written in, an index into `names`, where macros or inclusions bring code of other files along;
    /// else nil.
    package var file: Int?
  }

  /// One region of a function.
  package struct Region: Hashable, Sendable {
    package var span: CoverageRegion
    /// An index into `names`.
    package var file: Int
    package var kind: Kind
  }

  /// What a region stands for; LLVM's numbers.
  package enum Kind: UInt64, Sendable {
    case code = 0
    case expansion
    case skipped
    case gap
    case branch
    case decision
    case decisionBranch
  }

  /// The version of the format, such as `3.0.1`.
  package var version = ""
  package var files: [File] = []
  package var functions: [Function] = []
  package var segments: [Segment] = []
  package var conditions: [ConditionCoverage] = []
  package var regions: [Region] = []
  /// The names of the files that functions have regions in.
  package var names: [String] = []
}
