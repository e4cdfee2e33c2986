import Foundation
import Synchronization

/// What Martlet makes once for a home, shared by the homes of all tests, because compiling it takes seconds.
///
/// Its names change with the toolchain and with Martlet's own sources, so what one home has is right in another.
enum MadeTools {
  /// The folder of what was made first; nil before.
  private static let made = Mutex<ScratchFolder?>(nil)

  /// Gives a new home what an earlier one has made.
  static func lend(to home: String) {
    guard let made = made.withLock(\.self) else { return }
    let place = "\(home)/toolchains"
    guard !FileManager.default.fileExists(atPath: place) else { return }
    try? FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    // A home that cannot be written to, or has it meanwhile, makes its own.
    try? FileManager.default.copyItem(atPath: made.path, toPath: place)
  }

  /// Keeps what a home has made, once it is whole.
  static func keep(of home: String) {
    made.withLock { made in
      let place = "\(home)/toolchains"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      let whole = names.filter { ["observer-", "end-reporter-"].contains(where: $0.hasPrefix) && !$0.contains(".") }
      guard made == nil, whole.count == 2, let folder = try? ScratchFolder("made-tools") else { return }
      for name in whole {
        guard (try? FileManager.default.copyItem(atPath: "\(place)/\(name)", toPath: folder.file(name))) != nil else {
          return
        }
      }
      made = folder
    }
  }
}
