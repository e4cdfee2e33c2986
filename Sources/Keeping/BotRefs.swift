import Git
import Model
import Scheduling

/// The branches and tags that concern a bot.
struct BotRefs {
  /// The refs that the bot watches.
  var asked: Set<RefName>
  /// Those refs plus all branches of its repository, which a person or `martlet run` may have requested.
  var all: Set<RefName>

  /// Returns the names of the branches' workspaces; tags have no permanent ones.
  static func workspaces(of refs: Set<RefName>) -> Set<String> {
    Set(refs.compactMap(\.branch).map(FileSystemName.workspace(of:)))
  }
}

extension BotRefs {
  init(of bot: Bot, _ tips: Tips, remembered: Set<RefName>) {
    let decision = CommitDecision(bot)
    // A bot that does not integrate on commit remembers only requested refs. One that follows HEAD may return to any
    // branch.
    let asked = tips.refs.keys.filter {
      decision.selects($0, head: tips.head) || (bot.branches.isEmpty && $0.branch != nil)
    }
    self.init(asked: remembered.union(asked), all: remembered.union(tips.refs.keys))
  }
}

extension Bot {
  /// Returns the branches of the repository, and the tags if the bot watches any; nil if it cannot be read.
  func readTips() -> Tips? {
    do throws(GitError) {
      return try Repository(at: repository).tips(withTags: !tags.isEmpty)
    } catch {
      // The watch reports the problem.
      return nil
    }
  }

  /// Returns whether a branch or tag of the repository contains a commit, which means that an authorized person put it
  /// there. Also false if the repository cannot be read.
  func owns(_ commit: CommitID) -> Bool {
    do throws(GitError) {
      let repository = try Repository(at: repository)
      return repository.reaches(commit, fromAny: try repository.tips(withTags: true).refs.map(\.value))
    } catch {
      return false
    }
  }
}
