import Foundation
import Synchronization

/// What Martlet makes once for a home, shared by the homes of all tests, because compiling it takes seconds.
///
/// Its names change with the toolchain and with Martlet's own sources, so what one home has is right in another.
enum MadeTools {
  /// The folder of what was made first; nil before.
  private static let made = Mutex<ScratchFolder?>(nil)

  /// Gives a new home what earlier ones have made; the files are shared, since nobody writes to them.
  static func lend(to home: String) {
    made.withLock { made in
      let place = "\(home)/toolchains"
      guard let made, !FileManager.default.fileExists(atPath: place) else { return }
      try? FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      // A home that cannot be written to, or has it meanwhile, makes its own.
      try? FileManager.default.linkItem(atPath: made.path, toPath: place)
    }
  }

  /// Keeps what a home has made and none before it had, once the observer is whole.
  static func keep(of home: String) {
    made.withLock { made in
      let place = "\(home)/toolchains"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      let whole = names.filter(isWhole)
      guard whole.contains(where: { $0.hasPrefix("observer-") }) else { return }
      if made == nil { made = try? ScratchFolder("made-tools") }
      guard let made else { return }
      for name in whole where !FileManager.default.fileExists(atPath: made.file(name)) {
        // What cannot be kept is made once more.
        try? FileManager.default.linkItem(atPath: "\(place)/\(name)", toPath: made.file(name))
      }
    }
  }

  private static func isWhole(_ name: String) -> Bool {
    if name.hasPrefix("toolchain-modules-") { return !name.hasSuffix(".new") }
    return ["observer-", "end-reporter-"].contains(where: name.hasPrefix) && !name.contains(".")
  }
}
