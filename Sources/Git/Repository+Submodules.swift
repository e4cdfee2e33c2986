import CLibgit2
import Glibc

extension Repository {
  /// How many submodules may lie in one another.
  private static let deepest = 16

  /// Checks the submodules of a tree out beneath it, except those at the paths `leaving`.
  func checkOutSubmodules(
    of checkout: borrowing Checkout, leaving: Set<RelativePath>, summary: inout CheckoutSummary
  ) throws(GitError) {
    let links = checkout.entries.filter { $0.kind == .submodule && !leaving.contains($0.path) }
    guard !links.isEmpty else { return }
    let workspace = checkout.state.workspace
    let file = try submoduleFile(of: checkout)
    for link in links {
      let nested = workspace.nested(at: link.path)
      let submodule = file.submodule(at: link.path.text)
      guard let source = try source(of: link, submodule, what: checkout.what) else { continue }
      if nested.depth > Repository.deepest {
        throw GitError(
          .submodule, checkout.what,
          because: "more than \(Repository.deepest) submodules lie in one another at \(link.path.text.quoted)",
          next: "Check that the commit is what it should be.")
      }
      summary.add(try source.checkOut(link.id, into: nested, leaving: []), at: link.path)
    }
  }

  private func submoduleFile(of checkout: borrowing Checkout) throws(GitError) -> SubmoduleFile {
    let path = RelativePath(".gitmodules")
    guard let entry = checkout.entries.first(where: { $0.path == path && $0.kind != .symlink }),
      entry.kind != .submodule
    else { return SubmoduleFile([]) }
    return SubmoduleFile(try bytes(of: entry.id, checkout.what))
  }

  /// The repository on this machine that has a submodule's commit; nil when git itself would leave its folder empty.
  private func source(of link: Tree.Entry, _ submodule: SubmoduleFile.Submodule?, what: String) throws(GitError)
    -> Repository?
  {
    for place in try places(of: link, submodule) {
      if let repository = Repository.open(at: place, holding: link.id) { return repository }
    }
    guard let submodule, !submodule.isOptional else { return nil }
    let commit = link.id.hexadecimal.prefix(7)
    let command = workTree == nil ? nil : "Run `git submodule update --init --recursive` in \(path.quoted)."
    throw GitError(
      .submodule, what,
      because: "no repository on this machine has the commit \(commit) of the submodule "
        + "\(submodule.name.quoted) at \(link.path.text.quoted), whose URL is \(submodule.url.quoted)",
      next: command ?? "Put a bare clone of that URL at \("\(commonPath)/modules/\(submodule.name)".quoted).")
  }

  /// Opens a repository if it is one and has a commit. Why it is not is of no interest: another place may do.
  private static func open(at place: String, holding commit: ObjectID) -> Repository? {
    do throws(GitError) {
      let repository = try Repository(exactly: place)
      _ = try repository.lookUpCommit(commit, "")
      return repository
    } catch {
      return nil
    }
  }

  /// Where a submodule's repository may be, in the order in which git would have put it there.
  private func places(of link: Tree.Entry, _ submodule: SubmoduleFile.Submodule?) throws(GitError) -> [String] {
    var places: [String] = []
    if let submodule {
      places += [gitPath, commonPath].map { "\($0)/modules/\(submodule.name)" }
    }
    if let workTree { places.append("\(workTree)/\(link.path.text)") }
    guard let submodule else { return places }
    let bases = try [configured("remote.origin.url"), path].compactMap { $0.flatMap(LocalURL.path) }
    let urls = try [configured("submodule.\(submodule.name).url"), submodule.url].compactMap(\.self)
    for url in urls {
      let resolved = LocalURL.isRelative(url) ? bases.map { LocalURL.resolve(url, against: $0) } : [LocalURL.path(url)]
      places += resolved.compactMap(\.self)
    }
    return places
  }

  /// A value of the repository's configuration; nil when it is not set.
  func configured(_ key: String) throws(GitError) -> String? {
    let what = "Cannot read the configuration of \(path.quoted)"
    let configuration = try Handle<ConfigurationKind>(what) {
      git_repository_config_snapshot(&$0, handle.pointer)
    }
    var value: UnsafePointer<CChar>?
    let code = git_config_get_string(&value, configuration.pointer, key)
    if code == GIT_ENOTFOUND.rawValue || code == GIT_EINVALIDSPEC.rawValue { return nil }
    try check(code, what)
    return value.map { String(cString: $0) }
  }
}
