import Git
import Model
import Parsing

extension IntegrationRun {
  /// The maximum bytes of text that a report shows of each kind, so that huge dependencies do not make a huge report.
  private static let mostBytes: [UncountedSources.Kind: Int] = [
    .test: 16_000_000, .sibling: 16_000_000, .dependency: 4_000_000, .generated: 1_000_000, .unlisted: 1_000_000,
  ]

  /// Returns the text of the sources that do not count, by path: the repository's own from the commit, the others from
  /// the build folder, where dependencies are checked out. Texts for which there is no room are left out.
  func uncountedTexts(in coverage: Coverage?) -> [String: [UInt8]] {
    var room = Self.mostBytes
    var texts: [String: [UInt8]] = [:]
    for source in coverage?.uncounted.sources ?? [] {
      let path = source.coverage.path
      let left = room[source.kind] ?? 0
      guard !path.hasPrefix("/"), let text = text(ofUncounted: source, limit: left), text.count <= left else {
        continue
      }
      room[source.kind] = left - text.count
      texts[path] = text
    }
    return texts
  }

  /// Returns the repository's packages to which an export's sources outside the package's targets may belong.
  func surroundings(of export: CoverageExport, _ selection: SourceSelection) -> RepositorySurroundings {
    let roots = PackagePaths(claimed.workspace.source.path).roots
    var folders: Set<String> = []
    for file in export.files {
      switch selection.role(of: file.name) {
      case .unlisted(let path):
        folders.formUnion(RepositorySurroundings.folders(above: packageFolder.file(path), roots: roots))
      case .dependency(package: nil, let path):
        folders.formUnion(RepositorySurroundings.folders(above: path, roots: roots))
      case .counted, .macro, .test, .generated, .dependency, .sibling: continue
      }
    }
    func manifest(_ folder: String) -> String { PackagePlace(folder).inRepository("Package.swift") }
    let found = folders.filter { claimed.workspace.source.read(manifest($0)) != nil }
    // A manifest that is not in the commit itself, such as a submodule's, or that cannot be read from it, cannot be
    // integrated as a package of this repository.
    let own = found.filter { (try? claimed.repository.contents(of: manifest($0), in: target.commit)) != nil }
    return RepositorySurroundings(
      package: target.package, roots: roots, packages: own, foreign: found.subtracting(own))
  }

  private func text(ofUncounted other: UncountedSources.Source, limit: Int) -> [UInt8]? {
    let path = other.coverage.path
    switch other.kind {
    case .test, .sibling, .unlisted: return text(of: path)
    case .dependency, .generated:
      guard path.hasPrefix(".build/") else { return nil }
      let name = String(path.dropFirst(".build/".count))
      // Code under test may have put anything there.
      return scratch.size(of: name) <= limit ? scratch.read(name) : nil
    }
  }
}
