import Integrating
import Model
import Rendering
import Synchronization

/// A printer of progress on standard error: one live line on a terminal, plain lines otherwise.
final class ProgressPrinter: Sendable {
  enum Style: Sendable {
    case live, lines, none
  }

  private struct State {
    var step: Step?
    var words = ""
    var counts = ""
    var tally = TestTally()
    var begin = ContinuousClock.now
    var lastDrawn: ContinuousClock.Instant?
    var isLineOpen = false
    /// The destination that goes on after others did, until there is something to tell of it.
    var resumed: String?
  }

  private let style: Style
  private let context: Context
  private let state = Mutex(State())

  init(_ style: Style, _ context: Context) {
    self.style = style
    self.context = context
  }

  func show(_ progress: Progress) {
    guard style != .none else { return }
    state.withLock { state in
      let line = Self.update(&state, with: progress)
      switch style {
      case .live: draw(&state, isUrgent: line != nil)
      case .lines:
        guard let line else { break }
        if let name = state.resumed { context.remark(Self.heading(of: name)) }
        state.resumed = nil
        context.remark(line)
      case .none: break
      }
    }
  }

  /// Removes the live line.
  func finish() {
    state.withLock { state in
      guard style == .live, state.isLineOpen else { return }
      context.writeError("\r\u{1B}[K")
      state.isLineOpen = false
    }
  }

  /// Updates the state, and returns a line if the event deserves one in plain output.
  private static func update(_ state: inout State, with progress: Progress) -> String? {
    state.tally.note(progress)
    switch progress {
    case .waiting(let workspace):
      state.words = "waiting for another integration in \(workspace)"
      return "Waiting for another integration in \(workspace)"
    case .started(let bot, let number, let commit):
      return "\(bot) \(number): \(commit.id.short) \(commit.summary)"
    case .destination(let name, let step):
      state.resumed = step == nil ? nil : name
      state.step = step ?? state.step
      return step == nil ? heading(of: name) : nil
    case .step(let step):
      state.step = step
      state.words = ""
      state.counts = ""
      return step == .completed ? nil : step.words
    case .activity(let words, let done, let total):
      state.words = words
      // The counts may be those of another build.
      state.counts = if let done, let total { "\(done)/\(total)" } else { "" }
      return nil
    case .testStarted(let test):
      state.words = test.description
      state.counts = words(for: state.tally.tests)
      return nil
    case .testEnded(let test, let end):
      state.counts = words(for: state.tally.tests)
      return end.isRed ? "  \(end.rawValue): \(test)" : nil
    case .diagnostic(let diagnostic):
      guard diagnostic.severity == .error else { return nil }
      return "  \(diagnostic.location.map { "\($0): " } ?? "")error: \(diagnostic.message)"
    }
  }

  private static func heading(of destination: String) -> String { "For \(destination):" }

  private static func words(for tests: RunningTests) -> String {
    "\(tests.ended)" + (tests.red > 0 ? ", \(tests.red) red" : "")
  }

  /// Draws the live line, at most twenty times a second unless something new has begun.
  private func draw(_ state: inout State, isUrgent: Bool) {
    let now = ContinuousClock.now
    if !isUrgent, let last = state.lastDrawn, now - last < .milliseconds(50) { return }
    state.lastDrawn = now
    state.isLineOpen = true
    let elapsed = (now - state.begin).components.seconds
    let parts = [state.step?.words ?? "", state.counts, state.words].filter { !$0.isEmpty }
    let line = VisibleText.of("\(elapsed) s  \(parts.joined(separator: "  "))")
    context.writeError("\r\u{1B}[K\(line.prefix(max(10, context.terminalWidth - 1)))")
  }
}

extension Step {
  var words: String {
    switch self {
    case .pending: "Pending"
    case .checkout: "Checking out"
    case .beforeTriggers: "Before-triggers"
    case .resolving: "Resolving dependencies"
    case .building: "Building"
    case .analyzing: "Analyzing"
    case .testing: "Testing"
    case .auditing: "Building from scratch, to compare"
    case .archiving: "Archiving"
    case .processing: "Processing results"
    case .mutating: "Trying mutants"
    case .afterTriggers: "After-triggers"
    case .completed: "Completed"
    }
  }
}
