import Git
import Model
import Parsing

/// What exactly a request means in its repository: decided before anything is written.
struct Target: Sendable {
  var commit: CommitID
  var branch: String?
  /// The folder of the package, relative to the repository; `.` for its root.
  var package: String
  var includesWorkingTree: Bool
  var selection: TestSelection

  init(of request: IntegrationRequest, in repository: borrowing Repository) throws(IntegratingError) {
    do throws(GitError) {
      (commit, branch) = try Self.commit(of: request.subject, in: repository)
    } catch {
      throw IntegratingError(error)
    }
    includesWorkingTree = request.subject == .workingTree
    package = try Self.packagePath(request.package)
    do {
      selection = try TestSelection(filter: request.filter, skip: request.skip)
    } catch {
      throw IntegratingError(.request, "\(error)")
    }
    try requireManifest(in: repository)
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

  /// The checked-out branch when the commit lies on it; so its workspace is warm and its history has a name.
  private static func branch(of commit: CommitID, in repository: borrowing Repository) throws(GitError) -> String? {
    let head: (branch: String?, commit: CommitID)
    do throws(GitError) {
      head = try repository.head()
    } catch  where error.kind == .emptyRepository || error.kind == .unknownRevision {
      return nil
    }
    guard let branch = head.branch else { return nil }
    for limit in [100, 10_000] where try repository.ancestors(of: head.commit, limit: limit).contains(commit) {
      return branch
    }
    return nil
  }

  /// A folder inside the repository, without detours.
  private static func packagePath(_ path: String) throws(IntegratingError) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    guard !path.hasPrefix("/"), !parts.contains("..") else {
      throw IntegratingError(
        .request,
        "the package folder '\(path)' must lie inside the repository. Give it relative to the repository's root.")
    }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  private func requireManifest(in repository: borrowing Repository) throws(IntegratingError) {
    if includesWorkingTree { return try requireWorkingTree(of: repository) }
    let prefix = package == "." ? "" : "\(package)/"
    let paths: [String]
    do throws(GitError) {
      paths = try repository.entries(of: commit).map(\.path)
    } catch {
      throw IntegratingError(error)
    }
    if paths.contains("\(prefix)Package.swift") { return }
    let others = paths.filter { $0.hasSuffix("/Package.swift") }.prefix(3)
      .map { "--package \($0.dropLast("/Package.swift".count))" }
    let place = package == "." ? "the repository's root" : "the folder '\(package)'"
    let advice =
      others.isEmpty
      ? "Martlet integrates Swift packages only."
      : "Choose the folder of the package: \(others.joined(separator: " or "))."
    throw IntegratingError(.request, "there is no Package.swift in \(place) at \(commit.short). \(advice)")
  }

  private func requireWorkingTree(of repository: borrowing Repository) throws(IntegratingError) {
    guard let tree = repository.workTree else {
      throw IntegratingError(
        .request, "\(repository.path) is a bare repository and has no working tree. Leave out --working-tree.")
    }
    let folder = package == "." ? Folder(tree) : Folder(tree).folder(package)
    guard folder.holds("Package.swift") else {
      throw IntegratingError(
        .request, "there is no Package.swift in \(folder.path). Martlet integrates Swift packages only.")
    }
  }
}
