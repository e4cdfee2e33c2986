import FoundationEssentials
import Model

@testable import Scheduling

let main = RefName(branch: "main")
let noon = Date(timeIntervalSince1970: 1_790_000_000)

extension CommitID: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(rawValue: value)
  }
}

func bot(_ change: (inout Bot) -> Void = { _ in }) -> Bot {
  var bot = Bot(name: "greeter", repository: "/srv/Greeter.git")
  change(&bot)
  return bot
}

/// Commits in a line, newest first, such as `line("c", "b", "a")`.
func line(_ names: CommitID..., message: String = "", paths: [String]? = nil) -> [NewCommit] {
  names.enumerated().map { index, id in
    NewCommit(id: id, parents: Array(names[(index + 1)...].prefix(1)), message: message, paths: paths)
  }
}

func entry(
  _ id: Int, _ commit: CommitID, covered: [CommitID]? = nil, ref: RefName? = main, bot: String = "greeter",
  cause: Cause = .commit, state: QueueEntry.State = .pending, queuedAt: Date = noon, number: Int? = nil
) -> QueueEntry {
  QueueEntry(
    id: id,
    assignment: Assignment(bot: bot, ref: ref, commit: commit, covered: covered, cause: cause, queuedAt: queuedAt),
    state: state, number: number)
}

func sighting(
  seen: [RefName: CommitID]? = [main: "a"], now: [RefName: CommitID], head: RefName? = main,
  _ histories: [RefName: MoveHistory] = [:], entries: [QueueEntry] = [], covered: [RefName: Set<CommitID>] = [:],
  reached: Set<CommitID>? = nil
) -> Sighting {
  var sighting = Sighting(
    seen: seen, tips: Tips(refs: now, head: head), histories: histories, entries: entries, covered: covered)
  sighting.reached[main] = reached
  return sighting
}

func queued(_ commit: CommitID, _ covered: [CommitID]? = nil, ref: RefName = main, cause: Cause = .commit)
  -> QueueChange
{
  .queue(Assignment(bot: "greeter", ref: ref, commit: commit, covered: covered, cause: cause, queuedAt: noon))
}
