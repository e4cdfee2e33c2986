import Model

extension TestsRunFirst {
  /// Says which tests ran first and why, or why none did.
  ///
  /// - Parameter listed: the number of all tests.
  func sentence(of listed: Int) -> String {
    let since = "since integration \(since)"
    if let tests {
      let count = "\(CountText.plain(tests)) of \(CountText.counted(listed, "test"))"
      return "\(count) ran first: what changed \(since) may affect them."
    }
    switch obstacle {
    case .toolchain: return "No tests ran first: the toolchain changed \(since), which may affect all of them."
    case .dependencies: return "No tests ran first: dependencies changed \(since), which may affect all tests."
    case .file(let path): return "No tests ran first: \(path) changed \(since), which may affect all of them."
    case nil: return "No tests ran first."
    }
  }
}
