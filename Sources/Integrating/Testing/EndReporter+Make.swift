import Glibc
import Model
import Processes

extension EndReporter {
  /// Returns the program for a toolchain, compiled once for each home; nil if it cannot be made. Then, an exit status
  /// of 129 and above reads as a signal, as it does in a shell.
  ///
  /// - Parameter folder: the folder of the programs for all toolchains.
  static func make(
    with toolchain: Toolchain, in folder: Folder, environment: [String: String], cancellation: Cancellation
  ) -> String? {
    let words = [toolchain.name, toolchain.programs, source].joined(separator: "\u{0}")
    let name = "end-reporter-\(FileSystemName.fingerprint64(words))"
    let program = folder.file(name)
    if access(program, X_OK) == 0 { return program }
    let aside = "\(name).\(getpid())"
    defer { for suffix in ["", ".c"] { unlink(folder.file(aside + suffix)) } }
    do {
      try folder.create().write(Array(source.utf8), to: "\(aside).c")
      let command = Command(
        toolchain.program("clang"), ["-O1", folder.file("\(aside).c"), "-o", folder.file(aside)],
        environment: environment, workingDirectory: folder.path)
      let answer = try command.collect(
        limits: Limits(wallClock: .seconds(60)), cancellation: cancellation, limit: 1 << 20)
      guard answer.result.succeeded, rename(folder.file(aside), program) == 0 else { return nil }
      return program
    } catch {
      return nil
    }
  }
}
