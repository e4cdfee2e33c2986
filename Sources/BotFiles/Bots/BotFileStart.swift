/// The short bot file that `martlet bots new` writes: the repository, and what people change most, ready to be switched
/// on.
///
/// A line that begins with `#` and a key is a suggestion: removing the `#` sets it.
package struct BotFileStart: Sendable {
  /// The repository as written to the file.
  package var repository: String
  /// The folder of the package inside it; nil for its root.
  package var package: String?
  /// How the repository is reached.
  package var access: Access

  /// How a repository is reached, which decides what its file suggests.
  package enum Access: Sendable {
    /// It lies on this machine.
    case local
    /// An address without SSH.
    case address
    /// An address with SSH, which knows no login without a key.
    case secureShell
  }

  package init(repository: String, package: String?, access: Access) {
    self.repository = repository
    self.package = package
    self.access = access
  }

  /// Returns the file as it is written, or with its login in force, as it is checked before anybody could name the key.
  package func text(isLoggedIn: Bool = false) -> String {
    """
    # 'martlet help bot-file' lists every setting. After editing, 'martlet check' says whether the file is right.
    # Take the '#' from a line to use it.

    repository: \(BotFileText.quoted(repository))
    \(package.map { "package: \(BotFileText.quoted($0))\n" } ?? "")\(remote(isLoggedIn))
    #branches: [main, "release/*"]  # without it, the default branch
    #coverage: {gates: [{patch: 80}], map: true}  # red if under 80% of changed lines ran; shows which tests ran a line
    #tests: {timeout: 1m, retries: 2}  # a test that then passes is flaky
    #destinations: [{}, {configuration: release}, {sanitize: thread}]
    #sandbox: {network: true}  # tests reach the network
    #triggers: [{mail: {to: [you@example.org]}}]

    """
  }

  private func remote(_ isLoggedIn: Bool) -> String {
    switch access {
    case .local: ""
    case .address:
      """
      #fetch: 10m  # default 5m; 'webhook' fetches only when told
      #credentials: {token: FORGE_TOKEN}  # its value is in secrets/BOT.env
      #status: {token: FORGE_TOKEN}  # shows results beside commits on the forge

      """
    case .secureShell:
      """
      #fetch: 10m  # default 5m; 'webhook' fetches only when told
      \(isLoggedIn ? "" : "#")credentials: {ssh-key: ~/.ssh/martlet, known-hosts: ~/.ssh/known_hosts}

      """
    }
  }
}
