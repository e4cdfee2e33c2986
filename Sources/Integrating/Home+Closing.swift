import Glibc

extension Home {
  /// What is for whoever may come to the home.
  private static let openFolder = "site"

  /// The folders that only Martlet's user enters. What lies in them has whatever mode it was made with, which is for who
  /// gets a copy: files of commits, products, what programs write.
  static let closedFolders = ["integrations", "workspaces", "toolchains"]

  /// Takes the home and everything in it but the site from other users of the machine, as earlier versions did not: they
  /// could read what is kept, and a program there that runs with the rights of its owner would be theirs to start.
  ///
  /// The home may still be passed through where it could be, so that a web server goes on to serve the site.
  package func close() throws(IntegratingError) {
    try close(folder.path, leaving: 0o711)
    for name in folder.names() where name != Self.openFolder { try close(folder.file(name), leaving: 0o700) }
  }

  private func close(_ path: String, leaving mask: mode_t) throws(IntegratingError) {
    var status = stat()
    // A folder that is somewhere else by a link is as much a part of the home; what belongs to another user is not.
    guard stat(path, &status) == 0, status.st_uid == geteuid() else { return }
    let mode = status.st_mode & 0o7777
    guard mode & ~mask != 0, chmod(path, mode & mask) != 0, errno != ENOENT else { return }
    throw .storage("close", path, errno: errno)
  }
}
