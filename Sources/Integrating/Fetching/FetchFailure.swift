import Glibc
import Model
import Processes
import Rendering

/// An explanation for the user of why a repository could not be fetched: what failed, why, and what to do about it.
struct FetchFailure {
  let order: FetchOrder

  /// Returns sentences about a failed call of git.
  ///
  /// - Parameter said: git's output, without secrets.
  func words(_ result: ProcessResult, of resources: ResourceLimits = .fetching, said: String) -> String {
    let result = said.contains(Self.fullFile) ? ProcessResult(end: .signaled(SIGXFSZ), why: result.why) : result
    if result.why != .byItself || resources.excess(result) != nil {
      let failure = sentence("git \(resources.failure(result) ?? "was stopped")")
      return Self.isTooMuch(result) ? "\(failure) \(advice)" : failure
    }
    if let known = known(said) { return known }
    let lines = said.split(whereSeparator: \.isNewline).map(String.init)
    // If ssh fails, git only says that something did.
    let reason = lines.first { $0.hasPrefix("ssh: ") } ?? lines.last { $0.hasPrefix("fatal: ") } ?? lines.last
    let failure = resources.failure(result) ?? "failed"
    return sentence(reason.map { VisibleText.of(String($0.prefix(300))) } ?? "git \(failure) without giving a reason")
  }

  /// What git says if the program that it has write a pack came to the limit of a file's size.
  private static let fullFile = "index-pack died of signal \(SIGXFSZ)"

  /// Whether a server sent more than git may take.
  private static func isTooMuch(_ result: ProcessResult) -> Bool {
    switch result.why {
    case .tooMuchMemory, .tooMuchDisk: true
    case .byItself: result.end == .signaled(SIGXFSZ)
    default: false
    }
  }

  /// What to do about a repository that is too large.
  private var advice: String {
    "Its server sends without an end, or it is larger than Martlet fetches by itself. In the latter case keep a mirror of it on this machine, with 'git clone --mirror', and let 'repository' in the bot's file be its path."
  }

  /// - Parameter reason: a clause; a second sentence may follow it.
  func sentence(_ reason: String) -> String { "Cannot fetch \(order.address.text): \(reason.withStop)" }

  /// Explains the common failures, recognized by the messages of git, curl and ssh.
  private func known(_ said: String) -> String? {
    let host = order.address.host
    let port = order.address.port.map { "-p \($0) " } ?? ""
    let hosts = order.credentials?.knownHosts ?? "known-hosts"
    let causes: [([String], String)] = [
      (["ssh: not found", "cannot run ssh"], "there is no ssh. Run: apt-get install openssh-client"),
      (
        ["REMOTE HOST IDENTIFICATION HAS CHANGED"],
        "\(host) has another key than the one in \(hosts). If it has a new one, get that from whoever runs \(host) and write it there; if not, somebody else answers in its place"
      ),
      (
        ["Host key verification failed", "host key is known for"],
        "\(hosts) has no key of \(host). Append what 'ssh-keyscan \(port)\(host)' prints, after comparing it with what whoever runs \(host) says"
      ),
      (
        ["Permission denied (", "Too many authentication failures"],
        "\(host) does not take the key. Give it the public half of the one that 'credentials' names"
      ),
      (
        ["Authentication failed", "could not read Username", "could not read Password", "error: 401", "error: 403"],
        order.token == nil
          ? "\(host) asks for a login. Write credentials: {token: NAME} into the bot's file, and NAME=… into its secrets"
          : "\(host) refuses the login. Check 'credentials' in the bot's file, and the value of the secret that it names"
      ),
      (
        ["error: 404", "Repository not found", "does not appear to be a git repository", "not found"],
        "\(host) has no such repository, or does not show it to who logs in so. Check the address and 'credentials' in the bot's file"
      ),
      (
        ["error: 500", "error: 502", "error: 503", "error: 504"],
        "\(host) reports a server error. It is tried again after a pause"
      ),
      (
        ["Failed to connect", "Connection refused", "Connection timed out", "Connection reset", "Couldn't connect"],
        "no answer from \(host)\(order.address.port.map { ":\($0)" } ?? ""). It is asked again after a pause"
      ),
      (["Could not resolve host", "Could not resolve hostname"], "there is no host \(host). Check the address"),
      (
        ["error: 30", "update url base from redirection"],
        "\(host) leads elsewhere, and is not followed there. Write the address that it leads to into the bot's file"
      ),
    ]
    return causes.first { $0.0.contains { said.contains($0) } }.map { sentence($0.1) }
  }
}
