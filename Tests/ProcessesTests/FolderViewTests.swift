import Glibc
import Testing

@testable import Processes

@Suite("A view of a folder", .enabled(if: emptySandbox != nil, "bubblewrap works on this machine"))
struct FolderViewTests {
  private let scratch: Scratch
  /// The folder, of a name that means something to the kernel's list of options.
  private let folder: String
  private let place = "/srv/view"

  init() throws {
    scratch = try Scratch()
    folder = scratch.file("a,b:c\\ d\né")
    let script = """
      mkdir "$1" && cd "$1" && mkdir inner gone && echo kept >kept && echo old >changed && echo old >removed &&
      echo old >inner/removed && echo old >gone/file && ln -s kept link && chmod 755 kept
      """
    #expect(try shell(script, [folder]).output().result.succeeded)
  }

  private func view(_ kind: FolderView.Kind?, in layers: String = "layers") throws -> FolderView {
    try FolderView.make(
      of: folder, at: place, in: scratch.file(layers), kind: kind, cancellation: Cancellation())
  }

  private func contained(_ script: String, in view: FolderView) throws -> String {
    var sandbox = try #require(emptySandbox)
    sandbox.views = [view]
    var command = shell("cd \(place); " + script)
    command.workingDirectory = "/"
    return try command.contained(in: sandbox).output().text
  }

  private func listing() throws -> String {
    try shell("cd \"$1\" && find . -printf '%P %y %m %T@ %i %l\\n' | sort && cat kept changed removed", [folder])
      .output().text
  }

  @Test(
    "can be changed at will, for those who come later to find, while the folder stays as it is",
    arguments: [FolderView.Kind.overlay, .copy])
  func changes(kind: FolderView.Kind) throws {
    let before = try listing()
    let view = try view(kind)
    #expect(view.kind == kind)
    #expect(view.changes == FolderChanges())
    let script = """
      cat kept link changed; echo new >>changed; rm removed inner/removed; rm -r gone; mkdir -p made/deep; echo new >made/deep/file
      ln -s /etc/passwd planted; touch -r kept kept; chmod 755 changed; mv link linked; : >>kept
      """
    #expect(try contained(script, in: view) == "kept\nkept\nold\n")
    #expect(
      try contained("cat changed made/deep/file linked; ls", in: view)
        == "old\nnew\nnew\nkept\nchanged\ninner\nkept\nlinked\nmade\nplanted\n")
    #expect(try listing() == before)
    var changes = view.changes
    // An overlay tells of a folder that is gone, a copy of each file in it.
    changes.removed = changes.removed.map { $0 == "gone" ? "gone/file" : $0 }
    #expect(
      changes
        == FolderChanges(
          added: ["linked", "made/deep/file", "planted"], changed: ["changed"],
          removed: ["gone/file", "inner/removed", "link", "removed"]))
  }

  @Test("is laid over the folder where the kernel does that, and lets nobody else see what is written")
  func kind() throws {
    let view = try view(nil)
    _ = try contained("echo secret >file", in: view)
    var status = stat()
    #expect(stat(view.layers, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o700)
    let works = try shell(
      "cd $1 && mkdir u w m && unshare -Urm mount -t overlay -o lowerdir=/usr,upperdir=u,workdir=w,userxattr none m",
      [scratch.path]
    ).output().result.succeeded
    #expect(view.kind == (works ? .overlay : .copy))
  }

  @Test("of the same folder is another one, with other layers")
  func others() throws {
    let first = try view(nil)
    let second = try view(first.kind, in: "others")
    _ = try contained("echo first >changed", in: first)
    #expect(try contained("cat changed", in: second) == "old\n")
    #expect(second.changes == FolderChanges())
  }

  @Test("has the user and the rights that a sandbox has without one", arguments: [FolderView.Kind.overlay, .copy])
  func rights(kind: FolderView.Kind) throws {
    let view = try view(kind)
    let script = """
      id -u; id -g; stat -c %u:%g changed; grep -c 0000000000000000 /proc/self/status
      (unshare -Ur true || mount -t tmpfs none /tmp || umount \(place)) 2>/dev/null && echo escaped; touch changed && echo done
      """
    #expect(
      try contained(script, in: view)
        == "\(getuid())\n\(getgid())\n\(getuid()):\(getgid())\n\(try capabilityLines())\ndone\n")
  }

  private func capabilityLines() throws -> String {
    let sandbox = try #require(emptySandbox)
    let command = shell("grep -c 0000000000000000 /proc/self/status").contained(in: sandbox)
    return try command.output().text.filter { !$0.isNewline }
  }

  @Test("that cannot be made says why")
  func refusals() throws {
    let layers = scratch.file("none/layers")
    #expect {
      try view(nil, in: "none/layers")
    } throws: {
      "\($0)"
        == "Could not make the folder “\(layers)” for a throw-away view: no such file or directory. Make room on the disk, or correct the permissions above it."
    }
  }
}
