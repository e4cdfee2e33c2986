import Foundation

/// The `git` command without the machine's configuration, as Ada Lovelace.
package struct GitCommand {
  /// What stands for the home folder.
  package var home: String
  /// When commits are made, in seconds since 1970; the machine's clock when nil.
  package var date: Int?

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  package init(home: String, date: Int? = nil) {
    self.home = home
    self.date = date
  }

  private var environment: [String: String] {
    var variables = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": home, "LC_ALL": "C", "TZ": "UTC",
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_ALLOW_PROTOCOL": "file",
      "GIT_AUTHOR_NAME": "Ada Lovelace", "GIT_AUTHOR_EMAIL": "ada@example.org",
      "GIT_COMMITTER_NAME": "Ada Lovelace", "GIT_COMMITTER_EMAIL": "ada@example.org",
    ]
    if let date {
      variables["GIT_AUTHOR_DATE"] = "\(date) +0000"
      variables["GIT_COMMITTER_DATE"] = "\(date) +0000"
    }
    return variables
  }

  /// Runs it in a folder; what it printed, without white space around it.
  @discardableResult
  package func callAsFunction(_ arguments: [String], in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-c", "protocol.file.allow=always"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: "git \(arguments): \(text)") }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
