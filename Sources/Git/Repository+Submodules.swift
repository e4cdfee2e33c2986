import CLibgit2

extension Repository {
  /// The maximum nesting depth of submodules.
  private static let deepest = 16

  /// Checks out the submodules of a tree beneath it, except those at the paths in `leaving`.
  ///
  /// - Parameter allowed: Paths on this machine that a submodule's URL may name.
  func checkOutSubmodules(
    of checkout: borrowing Checkout, from allowed: [String], leaving: Set<RelativePath>, summary: inout CheckoutSummary
  ) throws(GitError) {
    let links = checkout.entries.filter { $0.kind == .submodule && !leaving.contains($0.path) }
    guard !links.isEmpty else { return }
    let workspace = checkout.state.workspace
    let file = try submoduleFile(of: checkout)
    for link in links {
      let nested = workspace.nested(at: link.path)
      let submodule = file.submodule(at: link.path.text)
      guard let source = try source(of: link, submodule, from: allowed, what: checkout.what) else { continue }
      if nested.depth > Repository.deepest {
        throw GitError(
          .submodule, checkout.what,
          because: "more than \(Repository.deepest) submodules lie in one another at \(link.path.text.quoted)",
          next: "Check that the commit is what it should be.")
      }
      summary.add(try source.checkOut(link.id, into: nested, submodulesFrom: allowed).summary, at: link.path)
    }
  }

  private func submoduleFile(of checkout: borrowing Checkout) throws(GitError) -> SubmoduleFile {
    let path = RelativePath(".gitmodules")
    guard let entry = checkout.entries.first(where: { $0.path == path && $0.kind != .symlink }),
      entry.kind != .submodule
    else { return SubmoduleFile([]) }
    return SubmoduleFile(try bytes(of: entry.id, checkout.what))
  }

  /// Returns the local repository that has a submodule's commit; nil if git itself would leave its folder empty.
  private func source(
    of link: Tree.Entry, _ submodule: SubmoduleFile.Submodule?, from allowed: [String], what: String
  ) throws(GitError) -> Repository? {
    let leads: [NamedPlace] = if let submodule { try named(by: submodule) } else { [] }
    let places = ownPlaces(of: link, submodule) + leads.filter { $0.isIn(allowed) }.map(\.path)
    for place in places {
      if let repository = Repository.open(at: place, holding: link.id) { return repository }
    }
    guard let submodule, !submodule.isOptional else { return nil }
    // The place is not examined, because that would let a commit discover what exists on this machine.
    if let place = leads.first(where: { !$0.isIn(allowed) }) {
      throw refusal(of: submodule, at: link, leadingTo: place, what: what)
    }
    let commit = link.id.hexadecimal.prefix(7)
    let command = workTree == nil ? nil : "Run `git submodule update --init --recursive` in \(path.quoted)."
    throw GitError(
      .submodule, what,
      because: "no repository on this machine has the commit \(commit) of the submodule "
        + "\(submodule.name.quoted) at \(link.path.text.quoted), whose URL is \(submodule.url.quoted)",
      next: command ?? "Put a bare clone of that URL at \("\(commonPath)/modules/\(submodule.name)".quoted).")
  }

  /// Returns the error for a submodule outside the allowed paths. A commit must not be able to copy any repository
  /// whose path and newest commit it knows, as in [CVE-2022-39253](https://nvd.nist.gov/vuln/detail/CVE-2022-39253).
  private func refusal(
    of submodule: SubmoduleFile.Submodule, at link: Tree.Entry, leadingTo place: NamedPlace, what: String
  ) -> GitError {
    let other =
      workTree == nil
      ? "put a bare clone of it at \("\(commonPath)/modules/\(submodule.name)".quoted)"
      : "run `git -c protocol.file.allow=always submodule update --init --recursive` in \(path.quoted)"
    return GitError(
      .submodule, what,
      because: "the URL \(place.url.quoted) of the submodule \(submodule.name.quoted) at "
        + "\(link.path.text.quoted) leads to \(place.path.quoted), and a commit may not have just any repository of this "
        + "machine copied",
      next: "If it may have this one, \(other), or write submodules: {allow: [\(place.path)]} into the bot's file.")
  }

  /// Opens a repository that has a commit, or returns nil: why one fails is ignored, since another place may do.
  private static func open(at place: String, holding commit: ObjectID) -> Repository? {
    do throws(GitError) {
      let repository = try Repository(exactly: place)
      _ = try repository.lookUpCommit(commit, "")
      return repository
    } catch {
      return nil
    }
  }

  /// Returns where the repository itself may keep a submodule's repository, in git's order of choice.
  private func ownPlaces(of link: Tree.Entry, _ submodule: SubmoduleFile.Submodule?) -> [String] {
    var places: [String] = []
    if let submodule {
      places += [gitPath, commonPath].map { "\($0)/modules/\(submodule.name)" }
    }
    // Not through a link in the work tree, which may lead anywhere.
    let place = workTree?.realPath.map { "\($0)/\(link.path.text)" }
    if let place, place.realPath == place { places.append(place) }
    return places
  }

  /// Returns the paths on this machine that a submodule's URL refers to, beginning with the configured URL's.
  private func named(by submodule: SubmoduleFile.Submodule) throws(GitError) -> [NamedPlace] {
    let bases = try [configured("remote.origin.url"), path].compactMap { $0.flatMap(LocalURL.path) }
    let urls = try [configured("submodule.\(submodule.name).url"), submodule.url].compactMap(\.self)
    return urls.flatMap { url in
      let paths = LocalURL.isRelative(url) ? bases.map { LocalURL.resolve(url, against: $0) } : [LocalURL.path(url)]
      return paths.compactMap(\.self).map { NamedPlace(url: url, path: $0) }
    }
  }

  /// Returns a value from the repository's configuration, or nil if it is not set.
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

/// A path on this machine that a submodule's URL refers to.
private struct NamedPlace {
  let url: String
  let path: String

  /// Returns whether the path is one of the allowed paths or inside one.
  func isIn(_ allowed: [String]) -> Bool {
    allowed.contains { path == $0 || path.hasPrefix("\($0)/") }
  }
}
