import Model

/// What a person has set up for fetching, and a sandbox keeps from what fetches dependencies.
///
/// Git and SwiftPM do not know that they were kept from it; they only fail to reach what it leads to.
struct HiddenConfiguration {
  /// Where git, curl and SwiftPM look for it, relative to the home folder.
  static let places = [".gitconfig", ".config/git/config", ".netrc", ".swiftpm/configuration"]

  /// Those that exist, in their order.
  let found: [String]

  /// What to tell a person whose dependencies could not be fetched; nil where nothing is hidden, or fetching is not what
  /// failed.
  /// - Parameter errors: what was said.
  func advice(after errors: [String]) -> String? {
    guard !found.isEmpty, errors.contains(where: Self.speaksOfFetching) else { return nil }
    let names = found.map { "~/\($0)" }
    let list = CountText.list(names)
    return
      "What fetches dependencies does not see \(list), which the sandbox keeps from it. Where this code is trusted and "
      + "needs \(names.count == 1 ? "it" : "them"), run with --sandbox off; a bot can name a copy in its environment "
      + "(GIT_CONFIG_GLOBAL) and in its sandbox's 'read'."
  }

  /// SwiftPM passes on what git and curl say; of a clone that failed it says that the folder for it is not there.
  private static func speaksOfFetching(_ error: String) -> Bool {
    [
      "Failed to clone repository", "could not read Username", "could not read Password", "Could not resolve host",
      "unable to access", "cannot change to", "Authentication failed", "Permission denied (publickey)",
      "failed downloading",
    ].contains { error.contains($0) }
  }
}
