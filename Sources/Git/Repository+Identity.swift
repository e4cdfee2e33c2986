import CLibgit2

extension Repository {
  /// Who commits here, as git's configuration says it: `Mira <mira@example.org>`; nil when it does not name anybody.
  package func identity() throws(GitError) -> String? {
    let what = "Cannot read git's configuration for \(path.quoted)"
    let configuration = try Handle<ConfigurationKind>(what) { git_repository_config_snapshot(&$0, handle.pointer) }
    func value(_ name: String) -> String? {
      var text: UnsafePointer<CChar>?
      guard git_config_get_string(&text, configuration.pointer, name) == 0, let text else { return nil }
      let value = String(cString: text)
      return value.isEmpty ? nil : value
    }
    guard let name = value("user.name") else { return value("user.email") }
    return value("user.email").map { "\(name) <\($0)>" } ?? name
  }
}
