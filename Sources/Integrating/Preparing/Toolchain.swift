import FoundationEssentials
import Git
import Glibc
import Model
import Processes
import Watching

struct Toolchain: Sendable, Hashable, Codable {
  /// The oldest release whose build system and test libraries Martlet can talk to.
  static let oldest = Version(major: 6, minor: 0)

  /// A release number, as far as it matters here.
  struct Version: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    var major: Int
    var minor: Int

    static func < (one: Version, other: Version) -> Bool {
      (one.major, one.minor) < (other.major, other.minor)
    }

    var description: String { "\(major).\(minor)" }
  }

  /// The folder of its programs.
  var programs: String
  /// The folder of the libraries used by programs for this machine.
  var libraries: String
  /// The compiler's description of itself, such as `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
  var name: String
  var version: Version
  /// What tells it from every other one, and from itself before it was rebuilt in place.
  var stamp: String

  /// The stamp as documents have it, which name no place of the machine.
  var stampOfDocuments: String { FileSystemName.fingerprint64(stamp) }

  /// The folders that contain its programs and libraries, for a sandbox that has the system's anyway.
  var folders: [String] {
    let above = String(programs.prefix(upTo: programs.lastIndex(of: "/") ?? programs.startIndex))
    // A folder of programs only, such as a launcher's, must not bring in what is beside it.
    let folder = access("\(above)/lib/swift", F_OK) == 0 ? above : programs
    return PackagePaths(folder).roots.filter { $0 != "/usr" && !$0.hasPrefix("/usr/") && $0.count > 1 }
  }

  /// The oldest release whose Swift Build Martlet knows.
  static let oldestWithSwiftBuild = Version(major: 6, minor: 3)
  /// The first release that builds with Swift Build by default.
  static let firstToPreferSwiftBuild = Version(major: 6, minor: 4)

  /// The newest release that Martlet was tried with, and its full name.
  static let newestTried = Version(major: 6, minor: 3)
  private static let newestTriedName = "6.3.1"

  /// What to do about a toolchain that fails to give a necessary answer.
  var triedWords: String {
    let tried =
      version > Self.newestTried
      ? "This is \(name), newer than all that Martlet was tried with; Swift \(Self.newestTriedName) is known to work."
      : "Swift \(Self.newestTriedName) is known to work."
    return "\(tried) 'martlet help toolchains' tells more."
  }

  /// The build system that SwiftPM uses by default.
  var buildSystem: BuildSystem { version < Self.firstToPreferSwiftBuild ? .native : .swiftbuild }

  /// Returns the absolute path of one of its programs.
  func program(_ name: String) -> String { "\(programs)/\(name)" }
}

extension Home {
  /// Finds a toolchain by its folder, or that of the `swift` on a search path, and remembers it.
  ///
  /// - Throws: an error of kind `service` if there is none, or if it is too old.
  func toolchain(
    _ folder: String? = nil, searchPath: String, cancellation: Cancellation
  ) throws(IntegratingError) -> Toolchain {
    guard let folder else {
      return try .locate(searchPath: searchPath, memory: toolchains, cancellation: cancellation)
    }
    let places = ["usr/bin", "bin", "."].map { "\(folder)/\($0)" }
    guard let place = places.first(where: { Toolchain.firstExecutable("swift", in: $0) != nil }) else {
      throw IntegratingError(
        .service,
        "there is no Swift toolchain in \(folder): none of \(places.map { "\($0)/swift" }.joined(separator: ", ")) is a program. Install it there, or name another one."
      )
    }
    return try .locate(searchPath: "\(place):\(searchPath)", memory: toolchains, cancellation: cancellation)
  }
}

extension Toolchain {
  /// Finds the toolchain of the `swift` on a search path.
  ///
  /// - Parameters:
  ///   - searchPath: folders separated by colons, as in `PATH`.
  ///   - memory: where answers are remembered, so that an unchanged compiler is asked only once.
  /// - Throws: an error of kind `service` if there is none, or if it is too old.
  static func locate(searchPath: String, memory: Folder, cancellation: Cancellation) throws(IntegratingError)
    -> Toolchain
  {
    guard let swift = firstExecutable("swift", in: searchPath) else {
      throw IntegratingError(
        .service,
        "no Swift toolchain: there is no 'swift' in any folder of PATH. Install Swift \(oldest) or newer (https://www.swift.org/install/linux/) and put its usr/bin folder on PATH."
      )
    }
    let known = remembered(swift, in: memory)
    let toolchain = if let known { known } else { try ask(swift, searchPath, cancellation: cancellation) }
    guard toolchain.version >= oldest else {
      throw IntegratingError(
        .service,
        "the Swift toolchain at \(swift) is too old: it is \(toolchain.name), and Martlet works from Swift \(oldest) on. Install a newer one (https://www.swift.org/install/linux/) and put its usr/bin folder first on PATH."
      )
    }
    // Without the memory, the next run asks again.
    if known == nil { try? remember(toolchain, for: swift, in: memory) }
    return toolchain
  }

  /// Returns the path of a program in the folders of a search path; nil if none has it.
  static func firstExecutable(_ name: String, in searchPath: String) -> String? {
    searchPath.split(separator: ":")
      .map { "\($0)/\(name)" }
      .first { path in
        stat(path, followingLinks: true)?.isFile == true && access(path, X_OK) == 0
      }
  }
}

extension Toolchain {
  /// The part of the output of `swiftc -print-target-info` that is needed here.
  private struct TargetInfo: Decodable {
    struct Paths: Decodable {
      var runtimeResourcePath: String
    }

    var compilerVersion: String
    var paths: Paths
  }

  private struct Memory: Codable {
    /// The program that answered, to which a link or a launcher on the search path may have led.
    var asked: String
    var toolchain: Toolchain
  }

  private static func ask(_ swift: String, _ searchPath: String, cancellation: Cancellation) throws(IntegratingError)
    -> Toolchain
  {
    let compiler = swift + "c"
    let answer: CollectedOutput
    do {
      answer = try Command(
        compiler, ["-print-target-info"], environment: ["PATH": searchPath], workingDirectory: "/"
      ).collect(limits: Limits(wallClock: .seconds(60)), cancellation: cancellation, limit: 1 << 20)
    } catch {
      throw IntegratingError(
        .service,
        "cannot ask \(compiler) for its version: \(error) Check that this toolchain runs, or put another first on PATH."
      )
    }
    if answer.result.why == .canceled {
      throw IntegratingError(.canceled, "canceled while asking \(compiler) for its version.")
    }
    do {
      let info = try JSONDecoder().decode(TargetInfo.self, from: Data(answer.standardOutput))
      let programs = programs(for: swift, resources: info.paths.runtimeResourcePath)
      return Toolchain(
        programs: programs,
        libraries: "\(info.paths.runtimeResourcePath)/linux", name: info.compilerVersion,
        version: version(in: info.compilerVersion), stamp: ToolchainStamp.of(programs: programs))
    } catch {
      let words = String(decoding: answer.standardError.prefix(400), as: UTF8.self)
        .split(whereSeparator: \.isNewline).joined(separator: " ")
      throw IntegratingError(
        .service,
        "cannot understand what \(compiler) says about itself: \(words.isEmpty ? "\(error)" : words). Martlet works from Swift \(oldest) on; install a newer toolchain and put it first on PATH."
      )
    }
  }

  /// Returns the folder with the real programs: `swift` on PATH may be a link or a launcher elsewhere.
  private static func programs(for swift: String, resources: String) -> String {
    let beside = resources.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/bin"
    if access("\(beside)/llvm-cov", X_OK) == 0 { return beside }
    return String(swift.prefix(upTo: swift.lastIndex(of: "/") ?? swift.endIndex))
  }

  /// Reads the number after the word "version".
  static func version(in words: String) -> Version {
    let number = words.split(separator: " ").drop { $0 != "version" }.dropFirst().first ?? ""
    let parts = number.split { $0 == "." || $0 == "-" }.prefix(2).map { Int($0) ?? 0 }
    return Version(major: parts.first ?? 0, minor: parts.count > 1 ? parts[1] : 0)
  }

  private static func remembered(_ swift: String, in memory: Folder) -> Toolchain? {
    guard let memory = memory.value(Memory.self, in: FileSystemName.encode(swift)), memory.asked == asked(swift),
      memory.toolchain.stamp == ToolchainStamp.of(programs: memory.toolchain.programs)
    else { return nil }
    return memory.toolchain
  }

  private static func remember(_ toolchain: Toolchain, for swift: String, in memory: Folder) throws {
    guard let asked = asked(swift) else { return }
    try memory.create().write(json: Memory(asked: asked, toolchain: toolchain), to: FileSystemName.encode(swift))
  }

  /// Returns what tells the program behind a path from others; nil if it is gone.
  private static func asked(_ swift: String) -> String? {
    stat(swift + "c", followingLinks: true).map { status in
      "\((swift + "c").withoutLinks) \(status.st_ino) \(status.st_size) \(status.st_mtim.text)"
    }
  }
}
