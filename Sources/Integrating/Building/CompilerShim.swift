import Git
import Glibc
import Model
import Processes

/// A view of the toolchain whose `swiftc` answers from memory what SwiftPM asks it before each build, which takes half
/// of the time of a build that finds nothing to do.
///
/// SwiftPM asks for the target, for the options that the driver knows, and for the version
/// (https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Basics/DriverSupport.swift). Everything else,
/// and a question that had no answer, goes to the compiler itself. SwiftPM finds libraries and tools by the folder of
/// its compiler, so all else in the view leads to the toolchain.
struct CompilerShim: Sendable, Equatable {
  /// The questions, each of which is the only argument.
  private static let questions = ["-print-target-info", "-h", "-version"]
  /// The variables that change the answers, or name another compiler.
  static let decisive: Set<String> = ["SWIFT_EXEC", "SWIFT_EXEC_MANIFEST", "SDKROOT"]

  /// The folder of the view.
  let folder: String

  /// The variables that make SwiftPM use it.
  var environment: [String: String] { ["SWIFT_EXEC": "\(folder)/bin/swiftc"] }

  /// Returns the view of a toolchain, made once for each home; nil if it cannot be made, or where the environment
  /// names another compiler.
  static func make(in workshop: ToolchainWorkshop) -> CompilerShim? {
    let toolchain = workshop.toolchain
    guard decisive.isDisjoint(with: workshop.environment.keys) else { return nil }
    let folder = Folder(workshop.folder.path.withoutLinks, isPrivate: true)
    let words = [toolchain.name, toolchain.programs, toolchain.stamp, folder.path].joined(separator: "\u{0}")
    let name = "compiler-\(FileSystemName.fingerprint64(words))"
    let place = folder.folder(name)
    let shim = CompilerShim(folder: place.path)
    if place.exists { return shim }
    do {
      return try workshop.alone("compiler.lock") {
        if place.exists { return shim }
        let aside = folder.folder("\(name).new")
        try aside.remove()
        try link(to: toolchain, in: aside)
        try ask(workshop, into: aside.folder("answers"))
        try writeCompiler(
          in: aside.folder("bin"), answers: place.file("answers"), otherwise: toolchain.program("swiftc"))
        try aside.rename(to: place)
        return shim
      }
    } catch {
      // The compiler itself gives the same answers.
      return nil
    }
  }

  private static func ask(_ workshop: ToolchainWorkshop, into answers: Folder) throws {
    try answers.create()
    for question in questions {
      let answer = try Command(
        workshop.toolchain.program("swiftc"), [question], environment: workshop.environment, workingDirectory: "/"
      ).collect(limits: Limits(wallClock: .seconds(60)), cancellation: workshop.cancellation, limit: 4 << 20)
      if answer.result.why == .canceled { throw IntegrationStop.canceled }
      // The compiler says itself why it does not answer.
      if answer.result.succeeded { try answers.create(question, answer.standardOutput) }
    }
  }

  /// Leads from the view to everything that the toolchain has, except for its compiler.
  private static func link(to toolchain: Toolchain, in view: Folder) throws(IntegratingError) {
    let programs = Folder(toolchain.programs)
    let bin = try view.create().folder("bin").create()
    for name in programs.names() where name != "swiftc" { try bin.link(name, to: programs.file(name)) }
    let all = Folder(programs.file(".."))
    for name in all.names() where name != "bin" { try view.link(name, to: all.file(name)) }
  }

  private static func writeCompiler(in bin: Folder, answers: String, otherwise compiler: String)
    throws(IntegratingError)
  {
    let script = """
      #!/bin/sh
      answer=\(RepeatCommand.quoted(answers))/$1
      case "$#$1" in
        \(questions.map { "1\($0)" }.joined(separator: "|"))) [ ! -e "$answer" ] || exec cat "$answer" ;;
      esac
      exec \(RepeatCommand.quoted(compiler)) "$@"

      """
    try bin.create("swiftc", Array(script.utf8))
    guard chmod(bin.file("swiftc"), 0o700) == 0 else {
      throw .storage("make a program of", bin.file("swiftc"), errno: errno)
    }
  }
}

extension IntegrationRun {
  /// The compiler that answers SwiftPM's questions from memory; nil where the settings name another compiler.
  var compilerShim: CompilerShim? {
    CompilerShim.decisive.isDisjoint(with: request.environment.keys) ? context.compilerShim : nil
  }
}
