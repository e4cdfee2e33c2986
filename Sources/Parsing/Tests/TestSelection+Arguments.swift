package import Model

extension TestSelection {
  /// The arguments that make a test executable run just the selected tests of Swift Testing; none when all of them
  /// are selected. They are anchored at both ends, so that no test runs because of a similar name.
  ///
  /// Suites and modules that are selected as a whole take one filter for all their tests: the library tries every
  /// filter on every test.
  package static func swiftTestingArguments(for selected: [TestID], of listed: [TestID]) -> [String] {
    let wanted = Set(selected)
    guard listed.contains(where: { !wanted.contains($0) }) else { return [] }
    var root = Branch()
    for test in listed { root.insert(path(of: test)[...], isSelected: wanted.contains(test)) }
    for test in selected { root.insert(path(of: test)[...], isSelected: true) }
    return root.filters(behind: "^", separator: #"\."#).flatMap { ["--filter", $0] }
  }

  /// The arguments that make a test executable run just the selected tests of XCTest: one per process, because it
  /// takes a single one, and each below 100 KB, because Linux takes none above 128.
  package static func xctestArguments(for selected: [TestID]) -> [String] {
    xctestBatches(of: selected).map { $0.map(\.description).joined(separator: ",") }
  }

  /// The tests in parts whose names fit into one argument.
  package static func xctestBatches(of tests: [TestID]) -> [[TestID]] {
    var batches: [[TestID]] = []
    var length = 0
    for test in tests {
      let more = test.description.utf8.count + 1
      if batches.isEmpty || length + more > 100_000 {
        batches.append([])
        length = 0
      }
      batches[batches.count - 1].append(test)
      length += more
    }
    return batches
  }

  /// Module, suites and name; a raw identifier may hold a slash.
  private static func path(of test: TestID) -> [String] {
    var parts: [String] = []
    var part = ""
    var isRaw = false
    for character in test.suite {
      if character == "`" { isRaw.toggle() }
      if character == "/" && !isRaw {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    if !part.isEmpty { parts.append(part) }
    return [test.module] + parts + [test.name]
  }
}

/// A module, suite or test, and what lies beneath it.
private struct Branch {
  var branches: [String: Branch] = [:]
  var isSelected = true

  mutating func insert(_ path: ArraySlice<String>, isSelected selected: Bool) {
    isSelected = isSelected && selected
    guard let first = path.first else { return }
    branches[first, default: Branch()].insert(path.dropFirst(), isSelected: selected)
  }

  /// The shortest list of expressions that match the selected tests and no other.
  func filters(behind beginning: String, separator: String) -> [String] {
    branches.sorted { $0.key < $1.key }.flatMap { name, branch -> [String] in
      let here = beginning + name.escapedForRegex
      if branch.isSelected { return [here + (name.isSourcePlaced ? "$" : separator)] }
      return branch.filters(behind: here + separator, separator: "/")
    }
  }
}

extension String {
  /// The text with a backslash before every character that means something in a regular expression.
  fileprivate var escapedForRegex: String {
    var escaped = ""
    for character in self {
      if #"\.+*?()[]{}^$|"#.contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
