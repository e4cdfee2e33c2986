/// What the watcher tells the process that fetches a repository.
package struct FetchOrder: Hashable, Sendable, Codable {
  package var address: RemoteAddress
  /// The folder of the mirror; absolute.
  package var mirror: String
  package var credentials: Credentials?
  /// The value of the secret that the credentials name.
  package var token: String?
  package var sandbox: SandboxPolicy.Mode
  /// Whether change requests are fetched, too; nil for no.
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

/// What came of fetching a repository.
package struct FetchResult: Hashable, Sendable, Codable {
  /// Why it could not be fetched, as sentences; nil when it was.
  package var failure: String?
  /// What a person has to be told though it was fetched, as sentences.
  package var warning: String?

  package init(failure: String? = nil, warning: String? = nil) {
    self.failure = failure
    self.warning = warning
  }
}
