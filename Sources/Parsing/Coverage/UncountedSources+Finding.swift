package import Model

extension UncountedSources {
  /// How many sources of a kind are viewed, so that a package with huge dependencies has no huge report.
  package static let most: [Kind: Int] = [
    .test: 600, .sibling: 600, .dependency: 200, .generated: 50, .unlisted: 50,
  ]

  /// Finds them in an export. Tests and the sources of packages of the same repository are there whether they ran or not,
  /// of everything else what ran.
  ///
  /// Should a file be in the export twice, by two spellings of its folder, the first one is taken.
  package init(_ export: CoverageExport, _ selection: SourceSelection, most: [Kind: Int] = Self.most) {
    var seen: Set<String> = []
    var found: [(place: UncountedPlace, file: CoverageExport.File)] = []
    for file in export.files {
      guard let place = UncountedPlace(selection.role(of: file.name)), seen.insert(place.path).inserted else {
        continue
      }
      found.append((place, file))
    }
    found.sort { $0.place.path < $1.place.path }
    self.init()
    for kind in Kind.allCases {
      let all = found.filter { $0.place.kind == kind }
      let ran = kind == .test || kind == .sibling ? all : all.filter { $0.file.summary.lines.covered > 0 }
      let shown = ran.prefix(most[kind] ?? Self.most[kind] ?? 0)
      func source(_ place: UncountedPlace, _ file: CoverageExport.File) -> Source {
        Source(
          kind: kind, group: place.group,
          coverage: export.coverage(of: file, path: place.path, target: place.group, functions: []))
      }
      sources += shown.map(source)
      if kind == .sibling || kind == .unlisted {
        let paths = Set(shown.map(\.place.path))
        unshown += all.filter { !paths.contains($0.place.path) }.map(source)
      }
      let left = Left(neverRan: all.count - ran.count, tooMany: ran.count - shown.count)
      if left != Left() { self.left[kind] = left }
    }
    unshown.sort { $0.coverage.path < $1.coverage.path }
  }
}

/// Where a source that does not count belongs.
private struct UncountedPlace {
  var kind: UncountedSources.Kind
  var group: String
  var path: String

  /// Nil for one that counts.
  init?(_ role: SourceSelection.Role) {
    switch role {
    case .counted: return nil
    case .test(let path, let target): (kind, group, self.path) = (.test, target, path)
    case .sibling(let package, let path): (kind, group, self.path) = (.sibling, package, path)
    case .dependency(let package, let path): (kind, group, self.path) = (.dependency, package ?? "", path)
    case .generated(let path): (kind, group, self.path) = (.generated, "", path)
    case .unlisted(let path): (kind, group, self.path) = (.unlisted, "", path)
    }
  }
}
