import CLibgit2
import Glibc

extension Repository {
  /// Creates a bare repository without commits, for people to push to.
  ///
  /// It is created elsewhere and then renamed, so that an interrupted attempt is never taken for a repository.
  ///
  /// - Parameters:
  ///   - path: Its folder, which must not exist; the parent folder must.
  ///   - branch: The branch that HEAD names.
  /// - Throws: Also if something exists at the path.
  package static func create(at path: String, branch: String) throws(GitError) {
    let what = "Cannot make \(path.quoted)"
    try check(Library.started, "Cannot start libgit2")
    var isValid: Int32 = 0
    guard git_reference_name_is_valid(&isValid, "refs/heads/\(branch)") == 0, isValid == 1 else {
      throw GitError(
        .other, what, because: "\(branch.quoted) is not the name of a branch",
        next: "Name one such as main with --branch.")
    }
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw GitError(.other, what, because: "there is something at that place", next: "Choose another name.")
    }
    let aside = "\(path).\(getpid()).new"
    try initialize(aside, branch: branch, what)
    guard rename(aside, path) == 0 else { throw GitError(errno: errno, doing: what) }
  }

  private static func initialize(_ path: String, branch: String, _ what: String) throws(GitError) {
    var options = git_repository_init_options()
    try check(git_repository_init_options_init(&options, UInt32(GIT_REPOSITORY_INIT_OPTIONS_VERSION)), what)
    options.flags = GIT_REPOSITORY_INIT_BARE.rawValue | GIT_REPOSITORY_INIT_MKDIR.rawValue
    let head = strdup(branch)
    defer { free(head) }
    options.initial_head = UnsafePointer(head)
    let made = try Handle<RepositoryKind>(what) { git_repository_init_ext(&$0, path, &options) }
    // Pushers are not trusted to send intact objects
    // (https://git-scm.com/docs/git-config#Documentation/git-config.txt-receivefsckObjects).
    let pointer = made.pointer
    let configuration = try Handle<ConfigurationKind>(what) { git_repository_config(&$0, pointer) }
    try check(git_config_set_bool(configuration.pointer, "receive.fsckObjects", 1), what)
  }
}
