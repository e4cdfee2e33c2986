import Processes

/// The library that parses requests.
package enum EventLibrary {
  /// Debian's update that fixes the handling of hostile requests (CVE-2026-63379 and others).
  private static let mended = "2.1.12-stable-8+deb12u1"

  /// The state of the installed package.
  enum Package: Equatable {
    /// This system does not use Debian packages, or does not have this one.
    case unknown
    case older(String)
    case mended(String)
  }

  /// The problem with the library, with the command that fixes it; nil if there is none, or if that is unknown.
  package static var trouble: String? { trouble(of: installed) }

  /// A short description of the installed library.
  package static var words: String {
    switch installed {
    case .mended(let version), .older(let version): "libevent \(version)"
    case .unknown: "libevent \(EventEngine.version); whether it has the security fixes of 2026 cannot be told here"
    }
  }

  static func trouble(of package: Package) -> String? {
    guard case .older(let version) = package else { return nil }
    return
      "libevent \(version) lacks the security fixes of \(mended), and 'martlet serve' reads requests with it. Run: apt-get install --only-upgrade libevent-core-2.1-7 libevent-extra-2.1-7"
  }

  /// Queries Debian's package manager (https://manpages.debian.org/bookworm/dpkg/dpkg.1.en.html).
  private static var installed: Package {
    // If the query fails, the state is unknown.
    guard
      let shown = try? run(
        "/usr/bin/dpkg-query", ["--show", "--showformat=${db:Status-Status} ${Version}\\n", "libevent-extra-2.1-7*"]),
      let version = shown.output.split(separator: "\n").compactMap({ line -> String? in
        let words = line.split(separator: " ")
        return words.count == 2 && words[0] == "installed" ? String(words[1]) : nil
      }).first, let compared = try? run("/usr/bin/dpkg", ["--compare-versions", version, "ge", mended])
    else { return .unknown }
    return compared.isSuccess ? .mended(version) : .older(version)
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> (isSuccess: Bool, output: String) {
    let collected = try Command(program, arguments, environment: ["LC_ALL": "C"], workingDirectory: "/")
      .collect(limits: Limits(), cancellation: Cancellation(), limit: 1 << 16)
    let isSuccess = if case .exited(0) = collected.result.end { true } else { false }
    return (isSuccess, String(decoding: collected.standardOutput, as: UTF8.self))
  }
}
