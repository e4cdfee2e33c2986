import Model

/// The login for dependencies that are fetched over ssh, which only the resolving of dependencies can use.
struct DependencyLogin {
  let credentials: Credentials
  /// The socket of the agent that holds the key: the user's own, or one of Martlet's.
  let socket: String

  /// The variables by which git logs in. They are the same for all that runs a manifest, since SwiftPM forgets manifests
  /// when a variable changes; the socket is only within reach of what fetches.
  var environment: [String: String] {
    [
      "GIT_SSH_COMMAND": SecureShell(knownHosts: credentials.knownHosts ?? "/dev/null").command,
      "GIT_SSH_VARIANT": "ssh", "SSH_AUTH_SOCK": socket,
    ]
  }

  /// What the sandbox of the fetching program must contain.
  var readable: [String] { [socket] + [credentials.knownHosts].compactMap(\.self) }
}

extension IntegrationRun {
  /// Nil if the bot has none.
  var dependencyLogin: DependencyLogin? {
    guard let credentials = request.dependencyCredentials else { return nil }
    if credentials.sshAgent {
      return DependencyLogin(credentials: credentials, socket: integrator.environment["SSH_AUTH_SOCK"] ?? "")
    }
    // The path of a socket is short, and workspaces may lie deep.
    let name = String(SHA256.digest(of: [claimed.workspace.source.path]).prefix(8))
    return DependencyLogin(credentials: credentials, socket: agents.file(name))
  }

  private var agents: Folder { integrator.home.folder.folder("agents") }

  /// Makes the login possible until the agent is closed.
  ///
  /// - Returns: the agent to close afterwards; nil if there is no login, or if it is the user's own agent.
  /// - Throws: an error of kind `service` if the key or the agent that the bot names is not there.
  func openKeyAgent() throws(IntegratingError) -> KeyAgent? {
    guard let login = dependencyLogin else { return nil }
    if let problem = MirrorFetch.problem(of: login.credentials) {
      throw IntegratingError(.service, "cannot log in to fetch dependencies: \(problem).")
    }
    guard let key = login.credentials.sshKey else {
      guard Folder(login.socket).exists else {
        throw IntegratingError(
          .service,
          "cannot log in to fetch dependencies: there is no ssh agent. Start the watcher with SSH_AUTH_SOCK, or name a key with 'ssh-key'."
        )
      }
      return nil
    }
    try agents.create()
    return try KeyAgent(
      key: key, socket: login.socket, searchPath: integrator.environment["PATH"] ?? "",
      cancellation: integrator.cancellation)
  }
}
