import Watching

/// A watch with a clock that a test moves, which has read everything that it was given.
final class Watched {
  let watch: RepositoryWatch
  var now = 1000.0

  init(_ repositories: String...) throws {
    watch = try RepositoryWatch(now: now)
    watch.watch(Set(repositories))
    _ = drain()
  }

  /// What is due when the kernel has been asked and `seconds` have passed, read at once; those that cannot be read too.
  func drain(after seconds: Double = 0.1) -> [String] {
    watch.takeNews(now: now)
    now += seconds
    var due: [String] = []
    while let path = watch.nextDue(now: now) {
      due.append(path)
      guard let reading = try? watch.read(path, withTags: true, withChangeRequests: true) else { continue }
      watch.settle(path, reading.tips)
    }
    return due
  }
}
