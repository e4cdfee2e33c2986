import Foundation

/// What Martlet makes once for a toolchain, shared by the homes of all tests, because compiling it takes seconds.
///
/// Its names change with the toolchain and with Martlet's own sources, so what one home has is right in another.
enum MadeTools {
  private static let folder = Result { try ScratchFolder("made-tools") }

  /// Lets a new home use what earlier ones have made, and make what they lack.
  static func lend(to home: String) {
    let place = "\(home)/toolchains"
    guard let folder = try? folder.get(), !FileManager.default.fileExists(atPath: place) else { return }
    try? FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    // A home that cannot be written to, or has it meanwhile, makes its own.
    try? FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: folder.path)
  }
}
