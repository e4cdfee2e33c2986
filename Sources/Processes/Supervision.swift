/// Closures with which a caller observes and controls a program while it runs.
///
/// All closures are called on the thread that runs the program.
package struct Supervision {
  /// The current deadline, relative to the program's start; called after each piece of output.
  package var deadline: () -> Duration?
  /// Called once, on the first output.
  package var sawOutput: (ProcessTree) -> Void
  /// Called at a limit, before any of the program's processes is told to end.
  package var willStop: (ProcessTree, ProcessResult.Why) -> Void
  /// Additional descriptors to wait for, excluding any that have reached their end; called before each wait.
  package var channels: () -> [Int32]
  /// Called with the time since the program's start when one of the channels may be readable, before output from the
  /// same moment is passed on.
  package var sawNews: (Duration) -> Void
  /// Called when all output was passed on that had been printed before the channels told what they have told so far.
  package var sawAll: () -> Void

  package init(
    deadline: @escaping () -> Duration? = { nil }, sawOutput: @escaping (ProcessTree) -> Void = { _ in },
    willStop: @escaping (ProcessTree, ProcessResult.Why) -> Void = { _, _ in },
    channels: @escaping () -> [Int32] = { [] }, sawNews: @escaping (Duration) -> Void = { _ in },
    sawAll: @escaping () -> Void = {}
  ) {
    self.deadline = deadline
    self.sawOutput = sawOutput
    self.willStop = willStop
    self.channels = channels
    self.sawNews = sawNews
    self.sawAll = sawAll
  }
}
