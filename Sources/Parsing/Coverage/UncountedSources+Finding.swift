package import Model

extension UncountedSources {
  /// The largest number of sources of each kind to show, so that huge dependencies do not make a huge report.
  package static let most: [Kind: Int] = [
    .test: 600, .sibling: 600, .dependency: 200, .generated: 50, .unlisted: 50,
  ]

  /// Finds the uncounted sources in an export. Tests and sources of the repository's other packages are included
  /// whether they ran or not; all others only if they ran.
  ///
  /// If a file is in the export twice, under two spellings of its folder, the first is used.
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
      let ran = kind == .test || kind == .sibling ? all : all.filter { export.ran($0.file) }
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

/// The kind and path of a source that does not count.
private struct UncountedPlace {
  var kind: UncountedSources.Kind
  var group: String
  var path: String

  /// Returns nil for a source that counts, and for one without counters that tell anything.
  init?(_ role: SourceSelection.Role) {
    switch role {
    case .counted, .macro: return nil
    case .test(let path, let target): (kind, group, self.path) = (.test, target, path)
    case .sibling(let package, let path): (kind, group, self.path) = (.sibling, package, path)
    case .dependency(let package, let path): (kind, group, self.path) = (.dependency, package ?? "", path)
    case .generated(let path): (kind, group, self.path) = (.generated, "", path)
    case .unlisted(let path): (kind, group, self.path) = (.unlisted, "", path)
    }
  }
}

extension CoverageExport {
  /// Whether anything of a file ran. The figures of a file are gone when several builds were merged, its segments are not.
  fileprivate func ran(_ file: File) -> Bool { segments[file.segments].contains { $0.hasCount && $0.count > 0 } }
}
