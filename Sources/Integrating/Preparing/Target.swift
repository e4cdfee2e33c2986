import Git
import Model
import Parsing

/// The exact meaning of a request in its repository, determined before anything is written.
struct Target: Sendable {
  var commit: CommitID
  var branch: String?
  /// The group in whose workspace it is built.
  var group: WorkspaceGroup
  /// The tag that was requested by its name.
  var tag: String?
  /// The folder of the package, relative to the repository; `.` for its root.
  var package: String
  /// What ends a bot's integration, as its commit has no such package; nil if it has one.
  var absence: IntegrationStop?
  var includesWorkingTree: Bool
  var selection: TestSelection

  init(of request: IntegrationRequest, in repository: borrowing Repository) throws(IntegratingError) {
    do throws(GitError) {
      (commit, branch) = try Self.commit(of: request.subject, in: repository)
      group = try Self.group(of: request.subject, commit, branch, in: repository)
      tag = request.tag
      if case .revision(let revision, _) = request.subject { tag = try repository.tag(called: revision) }
    } catch {
      throw IntegratingError(error)
    }
    includesWorkingTree = request.subject == .workingTree
    package = try Self.packagePath(request.package)
    do {
      selection = try TestSelection(filter: request.tests.filter, skip: request.tests.skip)
    } catch {
      throw IntegratingError(.request, "\(error)".lowercasedFirst)
    }
    (package, absence) = try packageFolder(in: repository, of: request.place?.bot)
  }

  /// How many commits of a branch are looked through for those that were integrated.
  private static let mostNewer = 10_000

  /// Whether a newer commit of the branch tells already how the branch stands, whatever the reason why this one comes
  /// after it.
  ///
  /// - Parameter past: the finished integrations of the same package and repository, oldest first.
  func isBehindBranch(after past: [IndexedIntegration], in repository: borrowing Repository) -> Bool {
    guard let branch else { return false }
    do throws(GitError) {
      let tip = try repository.branchTip(branch)
      guard tip != commit else { return false }
      // A commit that the branch has lost tells nothing of it any more.
      let newer = Set(try repository.commitNames(from: commit, to: tip, limit: Self.mostNewer))
      return past.reversed().contains {
        $0.branch == branch && $0.outcome != .canceled && !$0.isDirty && newer.contains($0.commit)
          && repository.reaches(commit, from: $0.commit)
      }
    } catch {
      // A branch that is gone has no newer commit.
      return false
    }
  }

  private static func commit(of subject: IntegrationRequest.Subject, in repository: borrowing Repository)
    throws(GitError) -> (CommitID, String?)
  {
    switch subject {
    case .head, .workingTree:
      let head = try repository.head()
      return (head.commit, head.branch)
    case .branch(let name):
      return (try repository.branchTip(name), name)
    case .commit(let commit, let branch):
      return (try repository.commit(commit).id, branch)
    case .revision(let revision, let branch):
      let commit = try repository.resolve(revision)
      if let branch { return (commit, branch) }
      return (commit, try Self.branch(of: commit, in: repository))
    }
  }

  /// Returns the group in whose workspace a subject is built: a commit that a person picks belongs to a branch only if
  /// the person names the branch and it contains the commit.
  private static func group(
    of subject: IntegrationRequest.Subject, _ commit: CommitID, _ branch: String?, in repository: borrowing Repository
  ) throws(GitError) -> WorkspaceGroup {
    guard case .revision(_, let named) = subject else { return WorkspaceGroup(branch: branch) }
    guard let named else { return .alone }
    let tip: CommitID
    do throws(GitError) {
      tip = try repository.branchTip(named)
    } catch  where error.kind == .unknownRevision {
      return .alone
    }
    return try holds(tip, commit, in: repository) ? .branch(named) : .alone
  }

  /// Whether a history contains a commit, which is nearly always close to the tip.
  private static func holds(_ tip: CommitID, _ commit: CommitID, in repository: borrowing Repository) throws(GitError)
    -> Bool
  {
    for limit in [100, 10_000] where try repository.commitNames(to: tip, limit: limit).contains(commit) { return true }
    return false
  }

  /// Returns the checked-out branch if the commit is on it, so that its history has a name.
  private static func branch(of commit: CommitID, in repository: borrowing Repository) throws(GitError) -> String? {
    let head: (branch: String?, commit: CommitID)
    do throws(GitError) {
      head = try repository.head()
    } catch  where error.kind == .emptyRepository || error.kind == .unknownRevision {
      return nil
    }
    guard let branch = head.branch, try holds(head.commit, commit, in: repository) else { return nil }
    return branch
  }

  /// Returns the normal form of a folder inside the repository.
  private static func packagePath(_ path: String) throws(IntegratingError) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    guard !path.hasPrefix("/"), !parts.contains("..") else {
      throw IntegratingError(
        .request,
        "the package folder '\(path)' must lie inside the repository. Give it relative to the repository's root.")
    }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// Returns the folder of the package, with links followed, and what ends a bot's integration if there is none.
  ///
  /// - Parameter bot: the bot whose file names it; nil for a run by hand.
  private func packageFolder(
    in repository: borrowing Repository, of bot: String?
  ) throws(IntegratingError) -> (folder: String, absence: IntegrationStop?) {
    if includesWorkingTree { return (try folderInWorkingTree(of: repository), nil) }
    let search: PackageSearch
    do throws(GitError) {
      search = try PackageSearch(package, at: commit, in: repository)
    } catch {
      // A bot's integration reports this when it checks the commit out, which lists it, too.
      if bot != nil { return (package, nil) }
      throw IntegratingError(error)
    }
    guard let lack = search.lack, let words = search.absence(at: commit) else { return (search.folder ?? package, nil) }
    let advice = advice(search.others, of: bot)
    guard bot != nil else { throw IntegratingError(.request, "\(words). \(advice)") }
    let reason = OutcomeReason.packageMissing(lack, another: search.others.first)
    return (package, IntegrationStop(outcome: .checkoutError, reason: reason, hint: advice))
  }

  /// - Parameter others: folders with a package, where the requested one has none.
  private func advice(_ others: [String], of bot: String? = nil) -> String {
    guard let first = others.first else {
      if package == "." { return "Martlet integrates Swift packages only." }
      return bot.map { "Correct 'package' in \(WatchState.BotState.file(of: $0))." } ?? "Correct --package."
    }
    return bot.map { "Write 'package: \(first)' into \(WatchState.BotState.file(of: $0))." }
      ?? "Choose the folder of the package: \(others.map { "--package \($0)" }.joined(separator: " or "))."
  }

  private func folderInWorkingTree(of repository: borrowing Repository) throws(IntegratingError) -> String {
    guard let tree = repository.workTree else {
      throw IntegratingError(
        .request, "\(repository.path) is a bare repository and has no working tree. Leave out --working-tree.")
    }
    let folder = package == "." ? Folder(tree) : Folder(tree).folder(package)
    let root = tree.withoutLinks
    let place = folder.path.withoutLinks
    guard folder.holds("Package.swift"), place == root || place.hasPrefix("\(root)/") else {
      // Without a list of the commit there is no advice.
      let others = (try? PackageSearch(package, at: commit, in: repository))?.others ?? []
      throw IntegratingError(.request, "there is no Package.swift in \(folder.path). \(advice(others))")
    }
    return place == root ? "." : String(place.dropFirst(root.count + 1))
  }
}
