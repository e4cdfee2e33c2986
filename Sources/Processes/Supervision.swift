/// What somebody wants to know of a program, and to decide about it, while it runs.
///
/// All closures are called by the thread that runs the program.
package struct Supervision {
  /// When the program is to be stopped as things stand, counted from its start; asked after each piece of output.
  package var deadline: () -> Duration?
  /// Called once, with the first output.
  package var sawOutput: (ProcessTree) -> Void
  /// Called at a limit, before anything of the program is told to end.
  package var willStop: (ProcessTree, ProcessResult.Why) -> Void
  /// More descriptors to wait for, without one that has come to its end; asked before each wait.
  package var channels: () -> [Int32]
  /// Called with the time since the program's start when one of them may have something to read, before output of the
  /// same moment is passed on.
  package var sawNews: (Duration) -> Void

  package init(
    deadline: @escaping () -> Duration? = { nil }, sawOutput: @escaping (ProcessTree) -> Void = { _ in },
    willStop: @escaping (ProcessTree, ProcessResult.Why) -> Void = { _, _ in },
    channels: @escaping () -> [Int32] = { [] }, sawNews: @escaping (Duration) -> Void = { _ in }
  ) {
    self.deadline = deadline
    self.sawOutput = sawOutput
    self.willStop = willStop
    self.channels = channels
    self.sawNews = sawNews
  }
}
