import Git
import Model

/// The manifests of a package, and those of the other packages in its repository, which it may reach by a path.
struct PackageManifests: Sendable {
  struct Manifest: Hashable, Sendable {
    /// The path from the root of the repository.
    var path: String
    var text: String

    /// The folder to which paths in it are relative; empty for the root of the repository.
    var folder: String { String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)) }

    /// What stands before each quotation mark, without white space, and what stands behind it up to the next: a string
    /// literal and its label, or what is between two literals.
    var literals: [(label: String, text: Substring)] {
      let pieces = text.split(separator: "\"", omittingEmptySubsequences: false)
      return zip(pieces, pieces.dropFirst()).map { (label: $0.filter { !$0.isWhitespace }, text: $1) }
    }

    /// Whether it may read other files, as far as the names in it tell.
    var mayReadFiles: Bool {
      let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
      let modules = zip(words, words.dropFirst()).filter { $0.0 == "import" }.map(\.1)
      return modules.contains { !Self.ownModules.contains($0) } && words.contains(where: Self.readers.contains)
    }

    /// The modules of SwiftPM, which read no file.
    private static let ownModules: Set<Substring> = ["PackageDescription", "CompilerPluginSupport"]
    /// What reads files in Foundation and the C library.
    private static let readers: Set<Substring> = [
      "Bundle", "Data", "FileHandle", "FileManager", "InputStream", "NSArray", "NSData", "NSDictionary", "NSString",
      "Process", "access", "contents", "contentsOf", "contentsOfDirectory", "contentsOfFile", "dlopen", "fopen", "glob",
      "lstat", "open", "openat", "opendir", "popen", "posix_spawn", "readlink", "scandir", "stat", "system",
    ]
  }

  /// `Package.swift` and its variants for other tools versions; SwiftPM reads one of them.
  let own: [Manifest]
  /// The manifests of the other packages; none if the package depends on no other.
  var others: [Manifest] = []
  /// Stand-ins for packages whose text is not at hand, such as the commits of submodules, and for all files if manifests
  /// may read them.
  var names: [String] = []

  static func isManifest(_ name: some StringProtocol) -> Bool {
    name == "Package.swift" || name.hasPrefix("Package@swift-") && name.hasSuffix(".swift")
  }

  /// Whether the package depends on others, wherever they are.
  var dependOnPackages: Bool { own.contains { Self.mentions("package", in: $0.text) } }

  /// Whether SwiftPM may have to fetch something before it can build.
  ///
  /// The package's own manifests show it: what another package needs is only needed by a dependency on that.
  var needFetching: Bool { dependOnPackages || own.contains { Self.mentions("binaryTarget", in: $0.text) } }

  /// Whether what they say may depend on other files.
  var mayReadFiles: Bool { (own + others).contains(where: \.mayReadFiles) }

  /// Whether the package asks for its commit, which SwiftPM finds only in a git repository.
  var readGitInformation: Bool { own.contains { Self.mentions("gitInformation", in: $0.text) } }

  /// Whether a plan for a build depends on more than the manifests' texts: a manifest may read files, and plugins read what
  /// they like when they are asked for their commands.
  var planDependsOnMore: Bool { mayReadFiles || contain(anyOf: ["plugins"]) }

  /// Whether a build may depend on files outside the checkout, or must always run.
  var buildDependsOnMore: Bool {
    planDependsOnMore || namePathsOutside || contain(anyOf: [".plugin(", ".systemLibrary(", "unsafeFlags"])
  }

  func contain(anyOf texts: [String]) -> Bool {
    (own + others).contains { manifest in texts.contains { manifest.text.contains($0) } }
  }

  /// Whether a path in any of the manifests leads, or may lead, out of its folder: it is absolute, begins with `..`, or
  /// is not a plain literal.
  var namePathsOutside: Bool {
    let texts = (own + others).map { $0.text.filter { !$0.isWhitespace } }
    return texts.flatMap { $0.split(separator: "path:", omittingEmptySubsequences: false).dropFirst() }.contains {
      value in
      guard value.first == "\"" else { return true }
      let literal = value.dropFirst().prefix { $0 != "\"" }
      return literal.isEmpty || literal.hasPrefix("..") || literal.hasPrefix("/") || literal.contains("\\(")
    }
  }

  /// The contents of all manifests, as texts to compare.
  var contents: [String] { (own + others).flatMap { [$0.path, $0.text] } + names }

  /// The package's own manifests, and those in folders that they name as a dependency's path, recursively.
  var named: [Manifest] {
    var found = own
    var next = 0
    while next < found.count {
      let manifest = found[next]
      next += 1
      for path in Self.paths(in: manifest) {
        found += others.filter { $0.folder == path && !found.contains($0) }
      }
    }
    return found
  }

  /// Whether a text names a member, as in `.package(`, and not one whose name only begins with the same letters.
  private static func mentions(_ member: String, in text: String) -> Bool {
    text.split(separator: ".\(member)", omittingEmptySubsequences: false).dropFirst().contains { rest in
      guard let next = rest.first else { return true }
      return !(next.isLetter || next.isNumber || next == "_")
    }
  }

  /// Returns the folders that string literals after `path:` name, relative to the root of the repository.
  private static func paths(in manifest: Manifest) -> [String] {
    manifest.literals.compactMap { label, literal in
      guard label.hasSuffix("path:"), !literal.hasPrefix("/") else { return nil }
      return String("/\(manifest.folder)/\(literal)".normalPath.dropFirst())
    }
  }
}

extension PackageManifests {
  /// Reads the manifests of a checkout; the commit says where they are, which saves a walk through the work tree.
  init(of run: IntegrationRun) {
    let place = PackagePlace(run.target.package)
    let own = run.packageFolder.names().filter(Self.isManifest).map {
      Manifest(path: place.inRepository($0), text: run.packageFolder.text(of: $0) ?? "")
    }
    var alone = PackageManifests(own: own)
    guard alone.dependOnPackages else {
      if alone.mayReadFiles { alone.names = Self.files(of: run) }
      self = alone
      return
    }
    // If the commit cannot be listed, the package's own manifests have to suffice.
    let entries = (try? run.claimed.repository.entries(of: run.target.commit)) ?? []
    let isOther = { (path: String) in
      Self.isManifest(path.suffix(from: path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex))
        && !own.contains { $0.path == path }
    }
    let files = entries.filter { [.file, .executable].contains($0.kind) }.map(\.path)
    let paths = (files + (run.source?.workingTree?.added ?? [])).filter(isOther)
    // A submodule or a link may lead to a package.
    let names = entries.filter { ![.file, .executable].contains($0.kind) }.map { "\($0.path) \($0.id)" }
    let others = paths.map {
      Manifest(path: $0, text: run.claimed.workspace.source.text(of: $0) ?? "")
    }
    self.init(own: own, others: others, names: names)
    if mayReadFiles { self.names = Self.files(of: run) }
  }

  /// The names and contents of all files, as texts to compare.
  private static func files(of run: IntegrationRun) -> [String] {
    // Of a commit that cannot be listed, nothing is known but its own name.
    let entries = try? run.claimed.repository.entries(of: run.target.commit).map { "\($0.path) \($0.id)" }
    let changes = run.source?.workingTree.map { $0.modified + $0.added } ?? []
    let changed = changes.map { path in
      let bytes = run.claimed.workspace.source.read(path) ?? []
      return "\(path) \(SHA256.digest(of: [String(decoding: bytes, as: UTF8.self)]))"
    }
    let deleted = run.source?.workingTree?.deleted.map { "\($0) deleted" } ?? []
    return (entries ?? [run.target.commit.rawValue]) + changed + deleted
  }
}
