import FoundationEssentials
import Glibc
import Model
import Processes

/// This very program with its templates, as other machines get it.
package struct MachineProgram: Sendable {
  /// The path of the program's file.
  let executable: String
  /// The folder of its templates, and the folder of those that take precedence; nil if there are none.
  let templates: String
  let override: String?

  package init(executable: String, templates: String, override: String?) {
    (self.executable, self.templates, self.override) = (executable, templates, override)
  }

  /// What tells this program from another version, as the name of its folder there.
  func key() throws(IntegratingError) -> String {
    var parts: [String] = []
    for (folder, names) in [(templates, Folder(templates).filesBeneath())]
      + (override.map { [($0, Folder($0).filesBeneath())] } ?? [])
    {
      for name in names { parts.append("\(name) \(try Self.version(of: "\(folder)/\(name)"))") }
      parts.append("")
    }
    return String(SHA256.digest(of: [try Self.version(of: executable)] + parts).prefix(20))
  }

  private static func version(of file: String) throws(IntegratingError) -> String {
    guard let status = stat(file, followingLinks: true) else { throw .storage("read", file, errno: errno) }
    return "\(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
  }

  /// Writes an archive of the program for `tar`, once, and returns its path.
  ///
  /// - Parameter folder: where it is made; whatever is there of another version is removed.
  func archive(
    _ key: String, in folder: Folder, environment: [String: String], cancellation: Cancellation
  ) throws -> String {
    try folder.create()
    // Several machines may be without it at the same moment.
    let lock = try FileLock.open(folder.file("program.lock"))
    try lock.await()
    let path = folder.file("program-\(key).tar")
    if !folder.holds("program-\(key).tar") {
      for name in folder.names() where name.hasPrefix("program-") { try folder.folder(name).remove() }
      let made = folder.folder("program-\(key)")
      try fill(made)
      let command = Command(
        "tar", ["-C", made.path, "-cf", "\(path).new", "."], environment: environment, workingDirectory: "/")
      let output = try command.collect(limits: Limits(), cancellation: cancellation, limit: 1 << 16)
      try made.remove()
      guard output.result.succeeded, rename("\(path).new", path) == 0 else {
        throw IntegratingError(
          .service, "cannot write \(path): \(String(decoding: output.standardError.prefix(400), as: UTF8.self))")
      }
    }
    _ = consume lock
    return path
  }

  /// Lays the program out as it is installed.
  private func fill(_ made: Folder) throws {
    try made.folder("bin").create()
    try FileManager.default.copyItem(atPath: executable, toPath: made.file("bin/martlet"))
    for (source, target) in [(templates, "share/martlet/templates")] + (override.map { [($0, Self.overriding)] } ?? [])
    {
      for name in Folder(source).filesBeneath() {
        let place = "\(target)/\(name)"
        try made.createFolder(of: place)
        try FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: made.file(place))
      }
    }
  }

  /// The folder of templates that take precedence, beside the program.
  static let overriding = "share/martlet/override"
}
