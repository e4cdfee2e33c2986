import Git
import Model
import Rendering

extension Repository {
  /// The maximum number of commits that are read with their files; of others, only the message is read.
  private static var mostWithFiles: Int { 50 }
  /// The maximum number of files that are listed for a commit.
  private static var mostFiles: Int { 50 }

  /// Returns the commits that one has and the other lacks, in both directions.
  ///
  /// - Parameter limit: the maximum number in each direction.
  func commits(between before: CommitID, and after: CommitID, limit: Int) -> CommitsBetween {
    if before == after { return CommitsBetween(.same, limit: limit) }
    // A walk from a commit that is gone would yield the whole history.
    for id in [before, after] {
      if let absence = absence(of: id) { return CommitsBetween(.unknown, reason: absence.sentence(about: id)) }
    }
    do throws(GitError) {
      let added = try commitNames(from: before, to: after, limit: limit)
      let dropped = try commitNames(from: after, to: before, limit: limit)
      let relation: CommitsBetween.Relation =
        dropped.isEmpty ? .forward : added.isEmpty ? .backward : .diverged
      var commits = CommitsBetween(
        relation, added: try changes(of: added), dropped: try changes(of: dropped), limit: limit)
      if added.count + dropped.count > 1 {
        let files = try files(from: before, to: after)
        (commits.files, commits.filesLeft) = (files.first, files.left)
      }
      return commits
    } catch {
      return CommitsBetween(.unknown, reason: error.description)
    }
  }

  /// Returns what a commit changed in its first parent; nil without a parent, and if one of them cannot be read.
  func change(of commit: CommitID) -> CommitChange? {
    guard case .commit? = try? firstParent(of: commit) else { return nil }
    return try? changes(of: [commit]).first
  }

  private func changes(of commits: [CommitID]) throws(GitError) -> [CommitChange] {
    var changes: [CommitChange] = []
    for (index, id) in commits.enumerated() {
      let (record, contents) = (try commit(id), try contents(of: id, withPaths: false))
      var change = CommitChange(
        id: id, author: record.author, date: record.date,
        message: contents.message.isEmpty ? record.summary : contents.message.cut(to: Bounds.standard.message),
        filesLeft: nil)
      if index < Self.mostWithFiles { try addFiles(to: &change) }
      changes.append(change)
    }
    return changes
  }

  private func addFiles(to change: inout CommitChange) throws(GitError) {
    let parent: CommitID?
    switch try firstParent(of: change.id) {
    case .none: parent = nil
    case .commit(let id): parent = id
    // Without its parent, the files that it changed are unknown.
    case .leftOut: return
    }
    let files = try files(from: parent, to: change.id)
    (change.files, change.filesLeft) = (files.first, files.left)
  }

  /// Returns the first files that differ between two commits, by path, and how many more do.
  private func files(
    from before: CommitID?, to after: CommitID
  ) throws(GitError) -> (first: [CommitChange.File], left: Int) {
    var counted = 0
    let difference = try difference(from: before, to: after) { _ in
      counted += 1
      return counted <= Self.mostFiles
    }
    let files = difference.files.map(CommitChange.File.init)
    return (Array(files.prefix(Self.mostFiles)), max(0, files.count - Self.mostFiles))
  }
}

extension CommitChange.File {
  fileprivate init(_ file: FileDifference) {
    self.init(
      path: file.newPath ?? file.oldPath ?? "", oldPath: file.status == .renamed ? file.oldPath : nil,
      status: file.status, added: file.lines?.hunks.reduce(0) { $0 + $1.new.count },
      removed: file.lines?.hunks.reduce(0) { $0 + $1.old.count })
  }
}
