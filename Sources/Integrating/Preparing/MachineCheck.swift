import Glibc
import Model
import Notifying
package import Processes
import Rendering

/// A check of this machine for everything that Martlet works with.
package struct MachineCheck: Sendable {
  /// The result of looking for one thing.
  package struct Finding: Sendable, Hashable, Encodable {
    /// The name of the thing, in a word or two.
    package var name: String
    /// Whether the thing is there and works.
    package var isThere: Bool
    /// What was found, or what is wrong and the command that fixes it.
    package var words: String

    /// Creates a finding that was made elsewhere.
    package init(name: String, isThere: Bool, words: String) {
      (self.name, self.isThere, self.words) = (name, isThere, words)
    }

    init(_ subject: Subject, isThere: Bool, words: String) {
      self.init(name: subject.rawValue, isThere: isThere, words: words)
    }

    private enum CodingKeys: String, CodingKey {
      case name, words
      case isThere = "there"
    }
  }

  /// What is looked for; the name is that of its finding.
  package enum Subject: String, CaseIterable, Sendable {
    case toolchain = "Swift"
    case git
    case sandbox
    case network
    case stacks = "eu-stack"
    case libcurl
    case home
    case disk
  }

  /// A build of an ordinary package with its coverage takes some hundred megabytes.
  static let leastSpace = 2_000_000_000

  package let findings: [Finding]

  /// Looks for what is asked for; writes nothing except what the home remembers of the toolchain.
  ///
  /// - Parameter searchPath: folders separated by colons, as in `PATH`.
  package init(
    of subjects: Set<Subject> = Set(Subject.allCases), home: Home, searchPath: String, cancellation: Cancellation
  ) {
    findings = Subject.allCases.filter(subjects.contains).map { subject in
      switch subject {
      case .toolchain: Self.toolchain(home, searchPath, cancellation)
      case .git:
        Self.program(
          subject, searchPath, without: "there is no git, which fetches dependencies and what lies elsewhere",
          package: "git")
      case .sandbox: Self.sandbox(searchPath, cancellation)
      case .network: Self.network(searchPath, cancellation)
      case .stacks:
        Self.program(
          subject, searchPath, without: "there is no eu-stack, which tells on which line a test hangs",
          package: "elfutils")
      case .libcurl:
        Finding(
          subject, isThere: CurlLibrary.trouble == nil,
          words: CurlLibrary.trouble.map { "mails and webhooks cannot be sent: \($0)" } ?? "sends mails and webhooks")
      case .home: Self.home(home.folder.path, Self.existing(home.folder.path))
      case .disk: Self.space(at: Self.existing(home.folder.path))
      }
    }
  }

  private static func toolchain(_ home: Home, _ searchPath: String, _ cancellation: Cancellation) -> Finding {
    do throws(IntegratingError) {
      let toolchain = try home.toolchain(searchPath: searchPath, cancellation: cancellation)
      return Finding(.toolchain, isThere: true, words: "\(toolchain.name) in \(toolchain.programs)")
    } catch {
      return Finding(.toolchain, isThere: false, words: error.description)
    }
  }

  private static func program(
    _ subject: Subject, _ searchPath: String, without words: String, package: String
  ) -> Finding {
    let path = Toolchain.firstExecutable(subject.rawValue, in: searchPath)
    return Finding(
      subject, isThere: path != nil, words: path ?? "\(words). Run: apt-get install \(package)")
  }

  /// Tries out the sandbox, which also needs user namespaces.
  private static func sandbox(_ searchPath: String, _ cancellation: Cancellation) -> Finding {
    do {
      switch try Bubblewrap.find(searchPath: searchPath, cancellation: cancellation) {
      case .works(let program): return Finding(.sandbox, isThere: true, words: "\(program) works")
      case .unusable(let why, let remedy): return Finding(.sandbox, isThere: false, words: why.followed(by: remedy))
      }
    } catch {
      return Finding(.sandbox, isThere: false, words: "bubblewrap could not be tried: \(error)")
    }
  }

  /// Tries out fetching dependencies without this machine's loopback.
  private static func network(_ searchPath: String, _ cancellation: Cancellation) -> Finding {
    do {
      // Without a sandbox, nothing is kept from the loopback.
      guard case .works(let bubblewrap) = try Bubblewrap.find(searchPath: searchPath, cancellation: cancellation) else {
        return Finding(.network, isThere: false, words: "without the sandbox, nothing is kept from the network")
      }
      switch try Router.find(bubblewrap: bubblewrap, searchPath: searchPath, cancellation: cancellation) {
      case .works(let program): return Finding(.network, isThere: true, words: "\(program) works")
      case .unusable(let why, let remedy):
        return Finding(
          .network, isThere: false,
          words: "what fetches dependencies can reach this machine's loopback: \(why.followed(by: remedy))")
      }
    } catch {
      return Finding(.network, isThere: false, words: "slirp4netns could not be tried: \(error)")
    }
  }

  private static func home(_ home: String, _ place: String) -> Finding {
    guard access(place, R_OK | W_OK | X_OK) == 0 else {
      return unusable(home: home, because: errno, of: place, user: getuid())
    }
    return Finding(.home, isThere: true, words: home)
  }

  /// Returns what to do about a home that cannot be used.
  ///
  /// - Parameters:
  ///   - code: the error number.
  ///   - place: the folder that the error is about: the home, or the nearest one around it, which others use, too.
  static func unusable(home: String, because code: Int32, of place: String, user: uid_t) -> Finding {
    let path = RepeatCommand.quoted(home)
    let remedy =
      code == EROFS
      ? "Name a home on another disk with --home"
      : "Run as root: mkdir -p \(path) && chown \(user) \(path), or use --home"
    return Finding(
      .home, isThere: false,
      words: "\(home) cannot be used, because of \(place): \(SystemReason.words(of: code)). \(remedy)")
  }

  private static func space(at place: String) -> Finding {
    guard let free = DiskLimit.free(at: place) else {
      let reason = SystemReason.words(of: errno)
      return Finding(.disk, isThere: false, words: "the space at \(place) is not known: \(reason)")
    }
    return space(free: free, at: place)
  }

  /// Judges the number of free bytes.
  static func space(free: Int, at place: String) -> Finding {
    let words = "\(ByteText.short(free)) free at \(place)"
    guard free < leastSpace else { return Finding(.disk, isThere: true, words: words) }
    return Finding(
      .disk, isThere: false,
      words:
        "only \(words), and builds take \(ByteText.short(leastSpace)). Make room, or name a home on another disk with --home"
    )
  }

  /// Returns the nearest existing folder of a path.
  static func existing(_ path: String) -> String {
    var parts = path.split(separator: "/")
    while !parts.isEmpty {
      let candidate = "/" + parts.joined(separator: "/")
      if access(candidate, F_OK) == 0 { return candidate }
      parts.removeLast()
    }
    return "/"
  }
}
