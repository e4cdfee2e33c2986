import Model
import Glibc
import Processes

/// Processes left behind by a killed watcher: usually none, since its keepers end the processes they supervise.
enum LeftProcesses {
  /// The number of checks whether they are gone, twenty milliseconds apart.
  private static let patience = 500

  /// Ends all processes that carry the home's mark. Only a dead watcher can have started them, since the home is
  /// locked.
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
