package import Model

/// Where the pages of a report lie, relative to its top.
package struct ReportPaths: Sendable {
  private let slugs: [TestID: String]
  private let paging: TestPaging?

  /// Names for the given tests that are unique, stable and fit for files and addresses.
  package init(tests: some Sequence<TestID>) {
    self.init(tests: tests, paging: nil)
  }

  /// - Parameter paging: nil where all tests are on one page.
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

  /// The anchor of the test on the page of all tests.
  package func anchor(of test: TestID) -> String {
    slugs[test] ?? Self.slug(of: test.description)
  }

  /// Where the test has its row among all tests.
  func row(of test: TestID) -> String {
    "\(paging?.path(of: test) ?? TestPaging.path(1))#\(anchor(of: test))"
  }

  /// Where the rows of a test target begin.
  func rows(ofTarget name: String) -> String {
    "\(paging?.path(ofTarget: name) ?? TestPaging.path(1))#\(Self.anchor(ofTarget: name))"
  }

  /// The page of one test.
  package func page(of test: TestID) -> String {
    "tests/\(anchor(of: test)).html"
  }

  /// The page of a step's log; the first one has no number.
  package static func log(_ step: Step, page: Int = 1) -> String {
    page == 1 ? "log/\(step.rawValue).html" : "log/\(step.rawValue)-\(page).html"
  }

  /// The folder with the report of a destination that does not lead.
  package static func cell(_ destination: String) -> String { "cells/\(slug(of: destination))" }

  /// The anchor of a test target on the page of all tests.
  package static func anchor(ofTarget target: String) -> String {
    "target-\(slug(of: target))"
  }

  /// Letters, digits and hyphens of a name, cut short, with a checksum of the whole name.
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
