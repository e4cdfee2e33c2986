import Foundation
import Git
import Model
import TestGround
import Testing
import Watching

@Suite("Watching repositories")
struct RepositoryWatchTests {
  @Test("A commit is news of its repository and of no other")
  func commit() throws {
    let scratch = try RepositoryScratch()
    let (one, other) = (try scratch.repository("One"), try scratch.repository("Other"))
    let watched = try Watched(one, other)
    #expect(watched.drain() == [])
    try scratch.commit(one, "Go on")
    #expect(watched.drain() == [one])
    #expect(watched.drain() == [])
  }

  @Test("What git does to the index, and a lock that comes and goes, is no news")
  func index() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    let watched = try Watched(repository)
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(repository)/file"))
    try scratch.git(repository, "add", "--all")
    let lock = "\(repository)/.git/refs/heads/main.lock"
    try Data().write(to: URL(fileURLWithPath: lock))
    try FileManager.default.removeItem(atPath: lock)
    #expect(watched.drain() == [])
  }

  @Test(
    "Branches below new folders, deleted and packed branches, tags and HEAD are news",
    arguments: [
      [["branch", "release/1.0"]], [["branch", "deep/er/still"]], [["tag", "1.0"]], [["pack-refs", "--all"]],
      [["switch", "--create", "feature"]], [["checkout", "--detach"]],
      [["pack-refs", "--all"], ["update-ref", "-d", "refs/heads/main"]],
    ])
  func references(commands: [[String]]) throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    let watched = try Watched(repository)
    for command in commands {
      try scratch.git(repository, command)
      #expect(watched.drain() == [repository], "\(command)")
    }
  }

  @Test("A branch in a folder that has just appeared moves on: still news")
  func newFolder() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    let watched = try Watched(repository)
    try scratch.git(repository, "switch", "--create", "release/1.0")
    #expect(watched.drain() == [repository])
    let folders = try Self.folderCount(of: watched.watch)
    try scratch.commit(repository, "Release")
    #expect(watched.drain() == [repository])
    try scratch.git(repository, "switch", "main")
    try scratch.git(repository, "branch", "-D", "release/1.0")
    #expect(watched.drain() == [repository])
    #expect(try Self.folderCount(of: watched.watch) == folders - 1)
  }

  @Test("A linked work tree hears of commits in the repository it belongs to, and of its own HEAD")
  func linkedWorkTree() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    try scratch.git(repository, "worktree", "add", "--quiet", "\(scratch.path)/Linked", "-b", "linked")
    let watched = try Watched("\(scratch.path)/Linked")
    try scratch.commit(repository, "In the main work tree")
    #expect(watched.drain() == ["\(scratch.path)/Linked"])
    try scratch.git("\(scratch.path)/Linked", "checkout", "--detach")
    #expect(watched.drain() == ["\(scratch.path)/Linked"])
  }

  @Test("A push to a bare repository is news")
  func bare() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    try scratch.git(scratch.path, "clone", "--quiet", "--bare", repository, "Greeter.git")
    let watched = try Watched("\(scratch.path)/Greeter.git")
    try scratch.commit(repository, "Pushed")
    try scratch.git(repository, "push", "--quiet", "../Greeter.git", "main")
    #expect(watched.drain() == ["\(scratch.path)/Greeter.git"])
  }

  @Test("A repository that vanishes is looked at every 30 seconds, and watched again when it is back")
  func vanishing() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    let watched = try Watched(repository)
    #expect(watched.watch.condition(of: repository) == .watched)
    try FileManager.default.moveItem(atPath: repository, toPath: repository + ".away")
    // The folder that moved is the parent of those with the references.
    #expect(watched.drain() == [repository])
    #expect(watched.watch.isLost(repository))
    #expect(watched.watch.isGone(repository))
    guard case .polled(let why) = watched.watch.condition(of: repository) else {
      Issue.record("not polled")
      return
    }
    #expect(why == "Cannot open the repository at “\(repository)”: there is no such file or folder. Check the path.")
    try FileManager.default.moveItem(atPath: repository + ".away", toPath: repository)
    #expect(watched.watch.nextTime(now: watched.now) <= watched.now + 30)
    #expect(watched.drain(after: 31) == [repository])
    #expect(watched.watch.condition(of: repository) == .watched)
    #expect(!watched.watch.isLost(repository))
    try scratch.commit(repository, "Back")
    #expect(watched.drain() == [repository])
  }

  @Test("A repository that goes with a folder far above it is looked at without delay")
  func takenAlong() throws {
    let scratch = try RepositoryScratch()
    let inner = try scratch.repository("a/b/Greeter")
    let other = try scratch.repository("Other")
    let watched = try Watched(inner, other)
    try FileManager.default.moveItem(atPath: "\(scratch.path)/a", toPath: "\(scratch.path)/z")
    #expect(watched.drain() == [inner])
    #expect(watched.watch.isGone(inner))
    #expect(!watched.watch.isGone(other))
  }

  @Test("After an overflow of the kernel's queue every repository is looked at")
  func overflow() throws {
    let scratch = try RepositoryScratch()
    let (one, other) = (try scratch.repository("One"), try scratch.repository("Other"))
    let watched = try Watched(one, other)
    let most =
      Int(try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8).dropLast()) ?? 0
    for number in 0...(most / 2) {
      let path = "\(one)/.git/\(number)"
      close(open(path, O_CREAT | O_WRONLY, 0o600))
    }
    #expect(watched.drain() == [one, other])
  }

  @Test("A hook's word counts for any way of naming the repository, and only for a watched one")
  func word() throws {
    let scratch = try RepositoryScratch()
    let (one, other) = (try scratch.repository("One"), try scratch.repository("Other"))
    let watched = try Watched(one)
    for path in [one, "\(one)/.git"] {
      #expect(watched.watch.takeWord(of: path, now: watched.now))
      #expect(watched.drain() == [one])
    }
    #expect(!watched.watch.takeWord(of: other, now: watched.now))
    #expect(!watched.watch.takeWord(of: "/nowhere", now: watched.now))
    #expect(watched.drain() == [])
  }

  @Test("A hook's word counts for every path by which a repository is watched")
  func wordOfAll() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository("One")
    let link = "\(scratch.path)/Link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: repository)
    let watched = try Watched(link, repository, "\(repository)/.git")
    for path in [link, repository, "\(repository)/.git"] {
      #expect(watched.watch.takeWord(of: path, now: watched.now))
      #expect(watched.drain() == [link, repository, "\(repository)/.git"])
    }
  }

  @Test("A repository that is no longer wanted is no longer watched, unless another path needs its folders")
  func unwatched() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    try scratch.git(repository, "worktree", "add", "--quiet", "\(scratch.path)/Linked", "-b", "linked")
    let watched = try Watched(repository, "\(scratch.path)/Linked")
    watched.watch.watch([repository])
    try scratch.commit(repository, "Go on")
    #expect(watched.drain() == [repository])
    watched.watch.watch([])
    #expect(try Self.folderCount(of: watched.watch) == 0)
  }

  @Test("A change request that is pushed to a bare repository is news, and so is what is pushed to it later")
  func changeRequests() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    let commits = try ["One", "Two"].map { try scratch.commit(repository, $0) }
    try scratch.git(scratch.path, "clone", "--quiet", "--bare", repository, "Greeter.git")
    let bare = "\(scratch.path)/Greeter.git"
    for name in ["refs/pull/7/head", "refs/merge-requests/7/head"] {
      let watched = try Watched(bare)
      for commit in commits {
        try scratch.git(bare, "update-ref", name, commit.rawValue)
        #expect(watched.drain() == [bare], "\(name) at \(commit)")
      }
      #expect(watched.watch.condition(of: bare) == .watched)
    }
  }

  @Test("The folders of change requests are not watched where each fetch is told")
  func toldChangeRequests() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    try scratch.git(repository, "update-ref", "refs/pull/7/head", "HEAD")
    let watch = try RepositoryWatch(now: 0)
    watch.watch([repository])
    let request = RefName(rawValue: "refs/pull/7/head")
    let told = try watch.read(repository, withTags: false, withChangeRequests: true, watchesChangeRequests: false)
    #expect(told.tips.refs[request] != nil)
    let folders = try Self.folderCount(of: watch)
    _ = try watch.read(repository, withTags: false, withChangeRequests: true)
    // `refs/pull` and the one below.
    #expect(try Self.folderCount(of: watch) == folders + 2)
  }

  @Test("A reading is new until it is settled, when anything is different, and after it was asked for anew")
  func readings() throws {
    let scratch = try RepositoryScratch()
    let repository = try scratch.repository()
    let watch = try RepositoryWatch(now: 0)
    watch.watch([repository])
    let first = try watch.read(repository, withTags: false)
    #expect(first.isNew)
    #expect(try watch.read(repository, withTags: false).isNew)
    watch.settle(repository, first.tips)
    #expect(try !watch.read(repository, withTags: false).isNew)
    try scratch.commit(repository, "Go on")
    let second = try watch.read(repository, withTags: false)
    #expect(second.isNew)
    #expect(first.tips.head == second.tips.head)
    #expect(first.tips != second.tips)
    watch.settle(repository, second.tips)
    watch.refresh(repository)
    #expect(try watch.read(repository, withTags: false).isNew)
  }

  /// How many folders the kernel watches: one line for each, https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html
  private static func folderCount(of watch: RepositoryWatch) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/fdinfo/\(watch.descriptor)", encoding: .utf8)
    return text.split(separator: "\n").count { $0.hasPrefix("inotify ") }
  }
}
