import Glibc
package import Model

extension Repository {
  /// Where paths lead in a commit when its links are followed.
  package func places(of paths: Set<String>, in commit: CommitID) throws(GitError) -> [String: TreePlace] {
    let what = "Cannot follow the links of the commit \(commit.rawValue.quoted) in \(path.quoted)"
    var folders = TreeFolders(try tree(of: try commit.objectID(), what))
    var way = LinkWay()
    var places: [String: TreePlace] = [:]
    for path in paths {
      places[path] = try way.place(of: path) { path throws(GitError) in
        switch try folders.entry(at: path, of: self, what) {
        case nil: return nil
        case .folder: return .folder
        case .other(.submodule, _): return .submodule
        case .other(.symlink, let id): return .link(String(decoding: try bytes(of: id, what), as: UTF8.self))
        case .other(.file, _), .other(.executable, _): return .file
        }
      }
    }
    return places
  }

  /// The same in the files of a workspace.
  package static func places(of paths: Set<String>, inFilesOf workspace: Workspace) throws(GitError)
    -> [String: TreePlace]
  {
    let folder = try OpenFolder(workspace.folder)
    var way = LinkWay()
    var places: [String: TreePlace] = [:]
    for path in paths {
      places[path] = try way.place(of: path) { path throws(GitError) in
        let file = RelativePath(path)
        guard let status = try folder.status(of: file) else { return nil }
        if status.isLink { return .link(try folder.target(of: file).text) }
        return status.isFolder ? .folder : .file
      }
    }
    return places
  }
}

extension OpenFolder {
  /// What a link says.
  fileprivate func target(of link: RelativePath) throws(GitError) -> RelativePath {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(descriptor, link.characters, &target, target.count - 1)
    if count < 0 { throw GitError(errno: errno, doing: "Cannot read the link \(describe(link))") }
    return RelativePath(target.prefix(count).map { UInt8(bitPattern: $0) })
  }
}
