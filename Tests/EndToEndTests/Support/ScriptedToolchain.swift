import FoundationEssentials
import Glibc
import Testing

/// A toolchain like the one on the search path, with scripts in the place of some of its programs.
struct ScriptedToolchain {
  let scratch: ScratchFolder
  /// The folder of the toolchain behind it, with `bin` and `lib`.
  let real: String

  private let version: String?
  private static let name = "usr"

  /// The folder of its programs.
  var programs: String { "\(own)/bin" }

  private var own: String { scratch.file(Self.name) }

  /// - Parameter version: the release that it claims to be; nil for the true one.
  init(in scratch: ScratchFolder, version: String? = nil) throws {
    self.scratch = scratch
    self.version = version
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let found = path.split(separator: ":").first { access("\($0)/swift-build", X_OK) == 0 }
    real = try URL(filePath: "\(#require(found))/swift-build").resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().path
    let files = FileManager.default
    try files.createDirectory(atPath: programs, withIntermediateDirectories: true)
    for name in try files.contentsOfDirectory(atPath: real) where name != "bin" {
      try files.createSymbolicLink(atPath: "\(own)/\(name)", withDestinationPath: "\(real)/\(name)")
    }
    for name in try files.contentsOfDirectory(atPath: "\(real)/bin") {
      try files.createSymbolicLink(atPath: "\(programs)/\(name)", withDestinationPath: "\(real)/bin/\(name)")
    }
    try replace("swiftc", "")
  }

  /// Has a program do something else for some arguments.
  ///
  /// - Parameter cases: those of a shell's `case` over all arguments in one line; `$real` is the program itself.
  func replace(_ program: String, _ cases: String) throws {
    let own = program == "swiftc" ? identity : ""
    try FileManager.default.removeItem(atPath: "\(programs)/\(program)")
    try scratch.write(
      "#!/bin/sh\nreal='\(real)/bin/\(program)'\ncase \"$*\" in\n\(own)\(cases)\nesac\nexec \"$real\" \"$@\"\n",
      to: "\(Self.name)/bin/\(program)", mode: 0o755)
  }

  /// The compiler tells whose it is.
  private var identity: String {
    let claim = version.map { "; s/version [0-9.]*/version \($0)/" } ?? ""
    return "*-print-target-info*) \"$real\" \"$@\" | sed 's#\(real)/lib#\(own)/lib#\(claim)'; exit;;\n"
  }
}
