/// A record of whether builds continue from earlier ones, so that durations are only compared between like builds.
struct BuildWarmth {
  private static let fileName = "warmth"
  private static let begun = Array("begun".utf8)

  /// What all builds of a scratch folder must have in common.
  private let key: [UInt8]
  private let memory: Folder

  /// - Parameter arguments: those of the build; others rebuild other parts of the same sources.
  init(arguments: [String], in memory: Folder) {
    key = Array(arguments.joined(separator: "\n").utf8)
    self.memory = memory
  }

  /// Whether a build continues from an earlier one; nil if that is unknown, as after builds that failed, used other
  /// arguments, or were made by an older Martlet.
  ///
  /// - Parameter hasProducts: whether there is a folder of build products.
  func isWarm(hasProducts: Bool) -> Bool? {
    let last = memory.read(Self.fileName)
    if last == nil { return hasProducts ? nil : false }
    return last == key ? true : nil
  }

  /// Records that a build begins, which may leave anything behind; a warm build leaves no less than there was.
  func noteBegin() {
    guard memory.read(Self.fileName) != key else { return }
    // A failed write costs no more than a comparison.
    try? memory.create().write(Self.begun, to: Self.fileName)
  }

  /// Records that a build succeeded.
  func noteEnd() {
    // As above.
    try? memory.create().write(key, to: Self.fileName)
  }
}
