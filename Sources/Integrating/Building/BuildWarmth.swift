/// Whether a build goes on from what an earlier one made, so that how long it takes is only compared with its like.
struct BuildWarmth {
  private static let fileName = "warmth"
  private static let begun = Array("begun".utf8)

  /// What the builds of a scratch folder must have in common.
  private let key: [UInt8]
  private let memory: Folder

  /// - Parameters:
  ///   - arguments: those of the build; others make others of the same sources anew.
  ///   - memory: where Martlet remembers things about the scratch folder.
  init(arguments: [String], in memory: Folder) {
    key = Array(arguments.joined(separator: "\n").utf8)
    self.memory = memory
  }

  /// Nil where nobody knows how much is there: after builds that did not succeed, with other arguments, or by an older
  /// Martlet.
  ///
  /// - Parameter hasProducts: whether there is a folder of what builds make.
  func isWarm(hasProducts: Bool) -> Bool? {
    let last = memory.read(Self.fileName)
    if last == nil { return hasProducts ? nil : false }
    return last == key ? true : nil
  }

  /// Notes that a build begins, which may leave anything; one that was warm leaves no less than there was.
  func noteBegin() {
    guard memory.read(Self.fileName) != key else { return }
    // A note that cannot be written costs no more than a comparison.
    try? memory.create().write(Self.begun, to: Self.fileName)
  }

  /// Notes that a build succeeded.
  func noteEnd() {
    // As above.
    try? memory.create().write(key, to: Self.fileName)
  }
}
