/// What the watcher tells the process that fetches a repository.
package struct FetchOrder: Hashable, Sendable, Codable {
  package var address: RemoteAddress
  /// The absolute path of the mirror's folder.
  package var mirror: String
  package var credentials: Credentials?
  /// The value of the secret named in the credentials.
  package var token: String?
  package var sandbox: SandboxPolicy.Mode
  /// Whether change requests are fetched, too; nil means no.
  package var includesChangeRequests: Bool?

  package init(
    address: RemoteAddress, mirror: String, credentials: Credentials? = nil, token: String? = nil,
    sandbox: SandboxPolicy.Mode = .auto
  ) {
    self.address = address
    self.mirror = mirror
    self.credentials = credentials
    self.token = token
    self.sandbox = sandbox
  }
}

/// The result of fetching a repository.
package struct FetchResult: Hashable, Sendable, Codable {
  /// Why the repository could not be fetched, as sentences; nil if it was.
  package var failure: String?
  /// Sentences to show to a person even if the repository was fetched.
  package var warning: String?

  package init(failure: String? = nil, warning: String? = nil) {
    self.failure = failure
    self.warning = warning
  }
}
