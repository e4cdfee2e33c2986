import Glibc
import Model
import Processes

extension EndReporter {
  /// Returns the program for a toolchain, compiled once for each home; nil if it cannot be made. Then, an exit status
  /// of 129 and above reads as a signal, as it does in a shell.
  static func make(in workshop: ToolchainWorkshop) -> String? {
    let (toolchain, folder) = (workshop.toolchain, workshop.folder)
    let words = [toolchain.name, toolchain.stamp, source].joined(separator: "\u{0}")
    let name = "end-reporter-\(FileSystemName.fingerprint64(words))"
    let program = folder.file(name)
    if access(program, X_OK) == 0 { return program }
    let aside = "\(name).\(getpid())"
    defer { for suffix in ["", ".c"] { unlink(folder.file(aside + suffix)) } }
    do {
      try folder.create().write(source, to: "\(aside).c")
      let command = Command(
        toolchain.program("clang"), ["-O1", folder.file("\(aside).c"), "-o", folder.file(aside)],
        environment: workshop.environment, workingDirectory: folder.path)
      let answer = try command.collect(
        limits: Limits(wallClock: .seconds(60)), cancellation: workshop.cancellation, limit: 1 << 20)
      guard answer.result.succeeded, rename(folder.file(aside), program) == 0 else { return nil }
      return program
    } catch {
      return nil
    }
  }
}
