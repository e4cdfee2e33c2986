package import Model

/// What happens in an integration while it runs, for whoever watches.
package enum Progress: Sendable {
  /// Martlet waits for another integration in the same workspace.
  case waiting(workspace: String)
  case started(bot: String, number: Int, commit: Commit)
  /// What follows is for a destination that does not lead.
  case destination(String)
  case step(Step)
  /// Words of the tool about what it does now, with how much is done of how much, where it says so.
  case activity(words: String, done: Int?, total: Int?)
  case testStarted(TestID)
  case testEnded(TestID, TestState)
  /// A diagnostic the compiler printed just now.
  case diagnostic(Diagnostic)
}

/// Receives progress; called on the thread that runs the integration.
package typealias ProgressHandler = @Sendable (Progress) -> Void
