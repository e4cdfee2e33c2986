import CProcess
import Glibc

/// A folder as contained programs find it, and can write to, while the folder itself stays as it is.
///
/// Programs that run one after the other find what those before them wrote. Whoever removes the layers throws that away. While
/// programs run that see the view, nobody may change the folder.
package struct FolderView: Hashable, Sendable {
  /// How what is written is kept apart.
  package enum Kind: Hashable, Sendable {
    /// The kernel lays it over the folder.
    case overlay
    /// The folder was copied, as where the kernel has no overlay for this user, or not on this disk.
    case copy
  }

  /// The absolute path of the folder.
  package let original: String
  /// The absolute path at which programs find the view.
  package let place: String
  /// The absolute path of Martlet's own folder for what belongs to the view; no program sees it.
  package let layers: String
  package let kind: Kind

  /// Where this machine has what programs find at the place; with an overlay, in the programs' mount namespace only.
  package var content: String { "\(layers)/\(kind == .overlay ? "merged" : "copy")" }

  /// What is written, with an overlay.
  var upper: String { "\(layers)/upper" }

  /// Makes a view whose layers are in a new folder, of which those above it must exist.
  ///
  /// - Parameter kind: the kind of a view of the same folder on the same disk; nil to find out.
  /// - Throws: `ProcessError` when there is no room, or the folder cannot be read.
  package static func make(
    of original: String, at place: String, in layers: String, kind: Kind? = nil, cancellation: Cancellation
  ) throws -> FolderView {
    // What programs leave there, as modes, is for nobody else.
    try makeFolder(layers)
    if kind != .copy {
      let view = FolderView(original: original, place: place, layers: layers, kind: .overlay)
      for name in ["upper", "work", "merged"] { try makeFolder("\(layers)/\(name)") }
      if kind == .overlay || view.works { return view }
    }
    let view = FolderView(original: original, place: place, layers: layers, kind: .copy)
    try view.copy(cancellation)
    return view
  }

  /// Makes the view of a new folder with nothing in it; the folders above the layers must exist.
  package static func makeEmpty(at place: String, in layers: String) throws(ProcessError) -> FolderView {
    let view = FolderView(copyIn: layers, at: place)
    for folder in [layers, view.content] { try makeFolder(folder) }
    return view
  }

  /// The view of a copy that was made before.
  package init(copyIn layers: String, at place: String) {
    self.init(original: layers, place: place, layers: layers, kind: .copy)
  }

  private init(original: String, place: String, layers: String, kind: Kind) {
    self.original = original
    self.place = place
    self.layers = layers
    self.kind = kind
  }

  private static func makeFolder(_ path: String) throws(ProcessError) {
    guard mkdir(path, 0o700) != 0 else { return }
    throw ProcessError(
      .system,
      "Could not make the folder “\(path)” for a throw-away view: \(ProcessError.reason(errno)). Make room on the disk, or "
        + "correct the permissions above it.")
  }

  /// Whether the kernel lays it over the folder.
  private var works: Bool { withCStrings([original, layers], cprocess_can_mount_views) }

  /// Copies the folder, with the times of its files; where the disk can, files share their blocks.
  private func copy(_ cancellation: Cancellation) throws {
    let command = Command(
      "cp",
      ["--archive", "--no-preserve=ownership", "--reflink=auto", "--no-target-directory", "--", original, content],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], workingDirectory: "/")
    let answer = try command.collect(limits: Limits(), cancellation: cancellation, limit: 16 << 20)
    guard !answer.result.succeeded, answer.result.why != .canceled else { return }
    let words = String(decoding: answer.standardError.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    throw ProcessError(
      .system,
      "Could not copy “\(original)” for a throw-away view: \(words). Make room on the disk, or let Martlet read it.")
  }
}
