import Glibc
import Model
import Processes

/// Where things are made once for a toolchain, for all integrations of a home; nothing that a commit runs can write there.
struct ToolchainWorkshop: Sendable {
  let toolchain: Toolchain
  /// The folder of what is made for all toolchains.
  let folder: Folder
  /// The variables of builds.
  let environment: [String: String]
  /// The program that builds sandboxes; nil to work without one.
  let bubblewrap: String?
  let cancellation: Cancellation

  /// Makes something while no other process does; nil if that was canceled while another one did.
  func alone<Made>(_ lockName: String, _ make: () throws -> Made) throws -> Made? {
    let lock = try FileLock.open(folder.create().file(lockName))
    while try !lock.take() {
      if cancellation.wait(atMost: .milliseconds(50)) { return nil }
    }
    let made = try make()
    _ = consume lock
    return made
  }

  /// Runs one of the toolchain's programs, which can write to a folder and nowhere else if there are sandboxes.
  func run(
    _ program: String, _ arguments: [String], in folder: Folder, views: [FolderView] = []
  ) throws -> CollectedOutput {
    var sandbox = bubblewrap.map { Sandbox(bubblewrap: $0, readable: toolchain.folders, writable: [folder.path]) }
    sandbox?.views = views
    return try Command(
      toolchain.program(program), arguments,
      environment: sandbox.map { ChildEnvironment.contained(environment, in: $0) } ?? environment,
      workingDirectory: folder.path
    ).contained(in: sandbox).collect(
      limits: Limits(wallClock: .seconds(120)), cancellation: cancellation, limit: 4 << 20)
  }
}

extension IntegrationContext {
  var workshop: ToolchainWorkshop {
    ToolchainWorkshop(
      toolchain: toolchain, folder: integrator.home.toolchains,
      environment: ChildEnvironment.building(from: integrator.environment, toolchain: toolchain),
      bubblewrap: containment.bubblewrap, cancellation: integrator.cancellation)
  }
}

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
