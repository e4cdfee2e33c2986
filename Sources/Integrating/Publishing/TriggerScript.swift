import Glibc
import Model
import Processes

/// A bot's script as a program that can be started.
package struct TriggerScript {
  /// The reason why a script cannot be started, as the end of a sentence.
  struct Refusal: Error, Hashable {
    var reason: String
  }

  var path: String
  var program: String
  var arguments: [String]

  /// Finds the script, and writes an inline one to a file that no other program of the integration can change.
  ///
  /// - Throws: a `Refusal` if the bot is at fault, and otherwise an error of the disk.
  ///
  /// - Parameter package: the folder of the package in which the script is to run.
  static func find(
    _ source: Trigger.Script.Source, position: Int, package: Folder, in run: IntegrationRun
  ) throws -> TriggerScript {
    switch source {
    case .packageFile(let name):
      guard let text = package.read(name) else {
        throw Refusal(reason: "the package has no such file")
      }
      return try TriggerScript(path: package.file(name), text: text)
    case .botFile(let path):
      if let folder = run.request.sandbox.write.first(where: { path.hasPrefix("\($0)/") }) {
        throw Refusal(reason: "it lies in \(folder), which the sandbox lets the code under test write to")
      }
      return try TriggerScript(atPath: path)
    case .inline(let text):
      let folder = try run.claimed.workspace.state.folder("triggers").create()
      try folder.write(text, to: "\(position)")
      return try TriggerScript(path: folder.file("\(position)"), text: Array(text.utf8))
    }
  }

  /// Returns why a script is not let into the folders that its 'write' names; nil if it is.
  ///
  /// - Parameters:
  ///   - policy: the folders that the code under test can write to, where a path could become a link to anything.
  ///   - own: Martlet's own folder.
  static func refusal(of paths: [String], beside policy: SandboxPolicy, own: String) -> Refusal? {
    for path in paths {
      var status = stat()
      let reason: String? =
        if let reason = Containment.refusal(ofPlace: path) {
          reason
        } else if own == path || own.hasPrefix("\(path)/") || path.hasPrefix("\(own)/") {
          "Martlet's own folders lie there, in \(own)"
        } else if let folder = policy.write.first(where: { path == $0 || path.hasPrefix("\($0)/") }) {
          "it lies in \(folder), which the sandbox lets the code under test write to"
        } else if stat(path, &status) != 0 {
          SystemReason.words(of: errno)
        } else if !status.isFolder {
          "it is no folder"
        } else {
          nil
        }
      if let reason { return Refusal(reason: "its 'write' names \(path): \(reason)") }
    }
    return nil
  }

  /// Returns why the script beside a bot's file cannot be started, as the end of a sentence; nil if it can.
  package static func problem(atPath path: String) -> String? {
    do throws(Refusal) {
      _ = try TriggerScript(atPath: path)
      return nil
    } catch {
      return error.reason
    }
  }

  private init(atPath path: String) throws(Refusal) {
    let parts = path.split(separator: "/")
    guard let name = parts.last, let text = Folder("/\(parts.dropLast().joined(separator: "/"))").read(String(name))
    else { throw Refusal(reason: "there is no such file") }
    try self.init(path: path, text: text)
    guard program != path || access(path, X_OK) == 0 else {
      throw Refusal(reason: "it is not executable; run: chmod +x '\(path)'")
    }
  }

  /// Reads the interpreter line as Linux does: a program and at most one argument
  /// (https://man7.org/linux/man-pages/man2/execve.2.html); a script without such a line is run by the shell.
  init(path: String, text: [UInt8]) throws(Refusal) {
    self.path = path
    if text.starts(with: [0x7F, 0x45, 0x4C, 0x46]) {
      (program, arguments) = (path, [])
      return
    }
    guard text.starts(with: Array("#!".utf8)) else {
      (program, arguments) = ("/bin/sh", [path])
      return
    }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    let line = text.dropFirst(2).prefix { $0 != 0x0A }.drop(while: isBlank)
    let name = line.prefix { !isBlank($0) }
    var argument = line.dropFirst(name.count).drop(while: isBlank)
    while let last = argument.last, isBlank(last) { argument.removeLast() }
    program = String(decoding: name, as: UTF8.self)
    guard program.hasPrefix("/"), !name.contains(0), !argument.contains(0) else {
      throw Refusal(reason: "its first line does not name an interpreter by its absolute path")
    }
    guard access(program, X_OK) == 0 else {
      throw Refusal(reason: "its interpreter \(program) is not on this machine, or is not a program")
    }
    arguments = (argument.isEmpty ? [] : [String(decoding: argument, as: UTF8.self)]) + [path]
  }
}

extension IntegrationRun {
  /// Returns the sandbox of a script: with a home in memory, so that nothing the package left in the workspace's home
  /// decides what is done with secrets.
  ///
  /// - Parameter sources: the folder of checked-out files in which it runs; nil if there are none.
  func triggerSandbox(
    for script: TriggerScript, _ trigger: Trigger.Script, in sources: Folder?
  ) throws(IntegrationStop) -> Sandbox? {
    guard case .contained(let bubblewrap, let policy) = containment else { return nil }
    try stopping {
      let accounts = Accounts.file(home: "/tmp")
      try claimed.workspace.state.write(accounts, to: "trigger-passwd")
    }
    var sandbox = Sandbox(
      bubblewrap: bubblewrap, readable: toolchain.folders + policy.read + [kept.path], network: trigger.network,
      accounts: claimed.workspace.state.file("trigger-passwd"))
    sandbox.temporaryBytes = request.resources.temporaryBytes
    sandbox.reporter = context.endReporter
    sandbox.writable = policy.write + request.scripts.write(for: trigger)
    if let sources { sandbox.writable.append(sources.path) }
    // The build stays as it is.
    if scratch.exists { sandbox.readable.append(scratch.path) }
    let isThePackages = sources.map { script.path.hasPrefix("\($0.path)/") } ?? false
    if !isThePackages { sandbox.readable.append(script.path) }
    return sandbox
  }
}
