import Model

/// The dependencies of manifests that SwiftPM cannot reach: local packages outside the repository, which no commit
/// contains and a sandbox hides, and those that need the caller's keys.
struct OutsideDependencies {
  /// Absolute paths, in the order of the manifests, without duplicates.
  let paths: [String]
  /// Relative paths that lead out of the repository, as in the manifests, in their order, without duplicates.
  let strays: [String]
  /// Whether any dependency is fetched over SSH.
  let needsKeys: Bool

  /// Finds string literals after `path:` and `url:` that are absolute paths, file URLs, or lead out of a folder.
  ///
  /// - Parameters:
  ///   - source: the folder to which the paths of the manifests are relative.
  ///   - reachable: the folders that the sandbox lets programs read.
  init(_ manifests: [PackageManifests.Manifest], in source: String, reachable: [String]) {
    var (paths, strays, needsKeys) = ([String](), [String](), false)
    for manifest in manifests {
      for (label, literal) in manifest.literals {
        let isURL = label.hasSuffix("url:")
        if isURL, literal.hasPrefix("ssh://") || literal.hasPrefix("git@") { needsKeys = true }
        guard isURL || label.hasSuffix("path:"), let path = Self.local(literal, in: "\(source)/\(manifest.folder)"),
          !reachable.contains(where: { path == $0 || path.hasPrefix("\($0)/") })
        else { continue }
        if literal.hasPrefix("..") { strays.append(String(literal)) } else { paths.append(path) }
      }
    }
    func once(_ names: [String]) -> [String] { names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
    (self.paths, self.strays, self.needsKeys) = (once(paths), once(strays), needsKeys)
  }

  /// Returns advice for a user whose build failed, one or two sentences for each reason.
  /// - Parameters:
  ///   - isContained: whether SwiftPM ran in a sandbox.
  ///   - hasLogin: whether it could log in over SSH.
  func advice(isContained: Bool, hasLogin: Bool) -> [String] {
    [strayAdvice, isContained ? localAdvice : nil, keyAdvice(isContained, hasLogin)].compactMap(\.self)
  }

  private func keyAdvice(_ isContained: Bool, _ hasLogin: Bool) -> String? {
    guard needsKeys, isContained || hasLogin else { return nil }
    if hasLogin {
      return
        "Some dependencies are fetched over SSH. Their hosts need to accept the key of 'dependency-credentials', and its 'known-hosts' needs to have their keys."
    }
    return
      "Dependencies over SSH need keys, which lie outside the sandbox. Write 'dependency-credentials' into the bot's file, name them by their https addresses, or run with --sandbox off."
  }

  /// The sandbox is not what hides them: what is beside the repository is not beside a checked-out commit.
  private var strayAdvice: String? {
    guard !strays.isEmpty else { return nil }
    let verb = CountText.agreeing(strays.count, "leads", "lead")
    return
      "\(strays.map { "“\($0)”" }.joined(separator: ", ")) \(verb) out of the repository, so no commit holds what is there. "
      + "Name the package by a URL, or by an absolute path that a bot's sandbox may read ('read'), or keep both in one "
      + "repository."
  }

  private var localAdvice: String? {
    guard !paths.isEmpty else { return nil }
    let verb = CountText.agreeing(paths.count, "lies", "lie")
    return
      "\(paths.joined(separator: ", ")) \(verb) outside the sandbox. If you trust this code, run with --sandbox off."
  }

  private static func local(_ literal: Substring, in folder: String) -> String? {
    if literal.hasPrefix("file:///") { return String(literal.dropFirst("file://".count)).normalPath }
    if literal.hasPrefix("/") { return String(literal).normalPath }
    return literal.hasPrefix("../") || literal == ".." ? "\(folder)/\(literal)".normalPath : nil
  }
}

/// The user's configuration for fetching, which a sandbox hides from the programs that fetch dependencies.
///
/// Git and SwiftPM do not know that it is hidden; they only fail to reach what it leads to.
struct HiddenConfiguration {
  /// The places where git, curl and SwiftPM look for it, relative to the home folder.
  static let places = [".gitconfig", ".config/git/config", ".netrc", ".swiftpm/configuration"]

  /// The places that exist, in their order.
  let found: [String]

  /// Returns advice for a user whose dependencies could not be fetched; nil if nothing is hidden, or if it was not the
  /// fetching that failed.
  func advice(after errors: [String]) -> String? {
    guard !found.isEmpty, errors.contains(where: Self.speaksOfFetching) else { return nil }
    let names = found.map { "~/\($0)" }
    let list = CountText.list(names)
    return
      "What fetches dependencies does not see \(list), which the sandbox keeps from it. Where this code is trusted and "
      + "needs \(CountText.agreeing(names.count, "it", "them")), run with --sandbox off; a bot can name a copy in its environment "
      + "(GIT_CONFIG_GLOBAL) and in its sandbox's 'read'."
  }

  /// Whether an error is about fetching. SwiftPM passes on what git and curl say; about a failed clone, it says that
  /// the folder for it does not exist.
  private static func speaksOfFetching(_ error: String) -> Bool {
    [
      "Failed to clone repository", "could not read Username", "could not read Password", "Could not resolve host",
      "unable to access", "cannot change to", "Authentication failed", "Permission denied (publickey)",
      "failed downloading",
    ].contains { error.contains($0) }
  }
}
