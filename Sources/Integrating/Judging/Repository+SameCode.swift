import Git
import Model
import Syntax

extension Repository {
  /// Whether two commits differ in nothing but comments and blanks of Swift sources; false if that is not known.
  ///
  /// A manifest begins with a comment that means something.
  func haveSameCode(_ one: CommitID, _ other: CommitID) -> Bool {
    guard let paths = try? contents(of: other, withPaths: true, since: one).paths else { return false }
    return paths.allSatisfy { path in
      let name = path.split(separator: "/").last ?? ""
      guard path.hasSuffix(".swift"), !PackageManifests.isManifest(name), let old = try? contents(of: path, in: one),
        let new = try? contents(of: path, in: other),
        case .bodies([], moved: _) = SourceEdit(from: SourceCode(old, path: path), to: SourceCode(new, path: path))
      else { return false }
      return true
    }
  }
}
