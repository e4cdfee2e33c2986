import Git
import Model

extension PastResults {
  /// Returns the number of a bot's first integration of a repository; nil if the bot had no other one before.
  ///
  /// A repository that was moved or cloned has the commits of before, and one whose history was rewritten its place.
  ///
  /// - Parameters:
  ///   - number: that of the integration that begins, of which the repository is.
  ///   - name: the repository as documents name it.
  ///   - past: the bot's finished integrations, oldest first.
  func since(
    _ number: Int, of repository: borrowing Repository, named name: String, in past: [IndexedIntegration]
  ) -> Int? {
    guard let newest = past.last else { return nil }
    if repository.absence(of: newest.commit) != .gone || document(of: newest.number)?.repository == name {
      return newest.repositorySince
    }
    for one in past.reversed() where repository.absence(of: one.commit) != .gone { return one.repositorySince }
    return number
  }
}
