import FoundationEssentials
import Processes
import Testing

extension Scratch {
  /// Carries out commands of git in the folder, with an author and without the machine's settings.
  func shell(_ script: String) throws {
    let run = try Command(
      "/bin/sh", ["-c", script],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": path, "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "Mira", "GIT_AUTHOR_EMAIL": "mira@example.org",
        "GIT_COMMITTER_NAME": "Mira", "GIT_COMMITTER_EMAIL": "mira@example.org",
      ], workingDirectory: path
    ).collect(limits: Limits(), cancellation: Cancellation(), limit: 1 << 20)
    #expect(run.result.succeeded, "\(String(decoding: run.standardError, as: UTF8.self))")
  }
}
