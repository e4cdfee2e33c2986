package import Model

/// An event in a running integration, for display.
package enum Progress: Sendable {
  /// Martlet is waiting for another integration in the same workspace.
  case waiting(workspace: String)
  case started(bot: String, number: Int, commit: Commit)
  /// The following events belong to a destination that does not lead.
  case destination(String)
  case step(Step)
  /// The tool's description of its current activity, with how much of how much is done, if it says so.
  case activity(words: String, done: Int?, total: Int?)
  case testStarted(TestID)
  case testEnded(TestID, TestState)
  /// A diagnostic that the compiler has just printed.
  case diagnostic(Diagnostic)
}

/// Receives progress; called on the thread that runs the integration.
package typealias ProgressHandler = @Sendable (Progress) -> Void
