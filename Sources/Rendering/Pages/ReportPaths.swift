package import Model

/// The paths of the pages of a report, relative to its top.
package struct ReportPaths: Sendable {
  private let slugs: [TestID: String]
  private let paging: TestPaging?

  /// Assigns unique, stable names, suitable for files and addresses, to the given tests.
  package init(tests: some Sequence<TestID>) {
    self.init(tests: tests, paging: nil)
  }

  /// - Parameter paging: nil if all tests are on one page.
  init(tests: some Sequence<TestID>, paging: TestPaging?) {
    self.paging = paging
    var slugs: [TestID: String] = [:]
    var taken: Set<String> = []
    for test in tests where slugs[test] == nil {
      let plain = Self.slug(of: test.description)
      var slug = plain
      var number = 2
      while !taken.insert(slug.lowercased()).inserted {
        slug = "\(plain)-\(number)"
        number += 1
      }
      slugs[test] = slug
    }
    self.slugs = slugs
  }

  /// Returns the anchor of a test on the page of all tests.
  package func anchor(of test: TestID) -> String {
    slugs[test] ?? Self.slug(of: test.description)
  }

  /// Returns the address of a test's row among all tests.
  func row(of test: TestID) -> String {
    "\(paging?.path(of: test) ?? TestPaging.path(1))#\(anchor(of: test))"
  }

  /// Returns the address of the first row of a test target.
  func rows(ofTarget name: String) -> String {
    "\(paging?.path(ofTarget: name) ?? TestPaging.path(1))#\(Self.anchor(ofTarget: name))"
  }

  /// Returns the page of one test.
  package func page(of test: TestID) -> String {
    "tests/\(anchor(of: test)).html"
  }

  /// Returns a page of a step's log; the first has no number.
  package static func log(_ step: Step, page: Int = 1) -> String {
    page == 1 ? "log/\(step.rawValue).html" : "log/\(step.rawValue)-\(page).html"
  }

  /// Returns the report folder of a destination other than the leading one.
  package static func cell(_ destination: String) -> String { "\(cells)/\(slug(of: destination))" }

  /// The path from the top of the report of another destination than the leading one to that of the whole report.
  static let outOfCell = "../../"

  /// The folder of the destinations other than the leading one.
  package static let cells = "cells"

  /// Returns the anchor of a test target on the page of all tests.
  package static func anchor(ofTarget target: String) -> String {
    "target-\(slug(of: target))"
  }

  /// Returns the letters, digits and hyphens of a name, truncated, with a checksum of the whole name.
  ///
  /// The checksum is FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
  static func slug(of name: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    var words = ""
    for scalar in name.unicodeScalars where words.utf8.count < 80 {
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      if isPlain || scalar == "_" {
        words.unicodeScalars.append(scalar)
      } else if !words.hasSuffix("-"), !words.isEmpty {
        words.append("-")
      }
    }
    let digits = String(hash, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    return words.isEmpty || words == "-" ? "x-\(padded)" : "\(words)\(words.hasSuffix("-") ? "" : "-")\(padded)"
  }
}
