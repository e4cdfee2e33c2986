import CProcess
import Glibc

/// A folder as contained programs see it and can write to it, while the folder itself remains unchanged.
///
/// Programs that run one after another see what the earlier ones wrote. Removing the layers discards it. The folder
/// must not change while programs that see the view are running.
package struct FolderView: Hashable, Sendable {
  /// The way in which writes are kept separate.
  package enum Kind: Hashable, Sendable {
    /// The kernel overlays the view on the folder.
    case overlay
    /// The folder was copied, because the kernel offers no overlay to this user or on this disk.
    case copy
  }

  /// The absolute path of the folder.
  package let original: String
  /// The absolute path at which programs see the view.
  package let place: String
  /// The absolute path of Martlet's own folder for the view's data, which no program sees.
  package let layers: String
  package let kind: Kind

  /// The location of the view's contents on this machine; with an overlay, only in the programs' mount namespace.
  package var content: String { "\(layers)/\(kind == .overlay ? "merged" : "copy")" }

  /// The location of written files, with an overlay.
  var upper: String { "\(layers)/upper" }

  /// Creates a view whose layers are in a new folder; its parent folders must exist.
  ///
  /// - Parameter kind: The kind of a view of the same folder on the same disk; nil to determine it.
  /// - Throws: A `ProcessError` if there is no room or the folder cannot be read.
  package static func make(
    of original: String, at place: String, in layers: String, kind: Kind? = nil, cancellation: Cancellation
  ) throws -> FolderView {
    // Anything that programs leave there, such as files with special modes, must be inaccessible to others.
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

  /// Creates a view of a new, empty folder; the parent folders of the layers must exist.
  package static func makeEmpty(at place: String, in layers: String) throws(ProcessError) -> FolderView {
    let view = FolderView(copyIn: layers, at: place)
    for folder in [layers, view.content] { try makeFolder(folder) }
    return view
  }

  /// Creates a view of an existing copy.
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

  /// Whether the kernel can overlay the view on the folder.
  private var works: Bool { withCStrings([original, layers], cprocess_can_mount_views) }

  /// Copies the folder with its files' times. If the disk supports it, files share their blocks.
  private func copy(_ cancellation: Cancellation) throws {
    let command = Command(
      "cp",
      ["--archive", "--no-preserve=ownership", "--reflink=auto", "--no-target-directory", "--", original, content],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], workingDirectory: "/")
    let answer = try command.collect(limits: Limits(), cancellation: cancellation, limit: 16 << 20)
    guard !answer.result.succeeded, answer.result.why != .canceled else { return }
    throw ProcessError(
      .system,
      "Could not copy “\(original)” for a throw-away view: \(answer.complaint). "
        + "Make room on the disk, or let Martlet read it.")
  }
}
