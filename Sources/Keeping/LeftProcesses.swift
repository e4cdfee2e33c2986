import Model
import Glibc
import Processes

/// What a watcher left that was killed: nothing, as a rule, since its keepers end with it what they keep.
enum LeftProcesses {
  /// How often to look whether they are gone, twenty milliseconds apart.
  private static let patience = 500

  /// Ends all processes that carry the mark of the home; nobody but a dead watcher can have started them, since the home
  /// is locked.
  static func end(of home: WatchHome, say: (String) -> Void) {
    var left = MarkedProcess.all(where: ProcessLauncher.mark, is: home.path)
    guard !left.isEmpty else { return }
    say("Ending \(words(left)) that a dead watcher left.")
    for process in left { process.kill() }
    for _ in 0..<patience {
      left = left.filter(\.isAlive)
      if left.isEmpty { return }
      poll(nil, 0, 20)
    }
    say(
      "\(words(left)) of a dead watcher cannot be ended: \(left.map { "\($0.pid)" }.joined(separator: ", ")).")
  }

  private static func words(_ left: [MarkedProcess]) -> String {
    CountText.counted(left.count, "process", "processes")
  }
}
