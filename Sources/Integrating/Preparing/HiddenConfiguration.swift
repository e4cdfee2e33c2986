import Model

/// The user's configuration for fetching, which a sandbox hides from the programs that fetch dependencies.
///
/// Git and SwiftPM do not know that it is hidden; they only fail to reach what it leads to.
struct HiddenConfiguration {
  /// The places where git, curl and SwiftPM look for it, relative to the home folder.
  static let places = [".gitconfig", ".config/git/config", ".netrc", ".swiftpm/configuration"]

  /// The places that exist, in their order.
  let found: [String]

  /// Returns advice for a user whose dependencies could not be fetched; nil if nothing is hidden, or if it was not the
  /// fetching that failed.
  func advice(after errors: [String]) -> String? {
    guard !found.isEmpty, errors.contains(where: Self.speaksOfFetching) else { return nil }
    let names = found.map { "~/\($0)" }
    let list = CountText.list(names)
    return
      "What fetches dependencies does not see \(list), which the sandbox keeps from it. Where this code is trusted and "
      + "needs \(CountText.agreeing(names.count, "it", "them")), run with --sandbox off; a bot can name a copy in its environment "
      + "(GIT_CONFIG_GLOBAL) and in its sandbox's 'read'."
  }

  /// Whether an error is about fetching. SwiftPM passes on what git and curl say; about a failed clone, it says that
  /// the folder for it does not exist.
  private static func speaksOfFetching(_ error: String) -> Bool {
    [
      "Failed to clone repository", "could not read Username", "could not read Password", "Could not resolve host",
      "unable to access", "cannot change to", "Authentication failed", "Permission denied (publickey)",
      "failed downloading",
    ].contains { error.contains($0) }
  }
}
