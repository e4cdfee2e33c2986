/// The local packages that a manifest names outside its repository, which a sandbox does not contain.
struct OutsideDependencies {
  /// Absolute paths, in the order of the manifest, each once.
  let paths: [String]

  /// Looks for string literals behind `path:` and `url:` that are absolute paths, file URLs, or lead out of a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder of the manifest; relative paths start there.
  ///   - reachable: the folders that the sandbox lets programs read.
  init(manifest: String, folder: String, reachable: [String]) {
    let pieces = manifest.split(separator: "\"", omittingEmptySubsequences: false)
    var found: [String] = []
    for (label, literal) in zip(pieces, pieces.dropFirst()) {
      let label = label.filter { !$0.isWhitespace }
      guard label.hasSuffix("path:") || label.hasSuffix("url:"), let path = Self.local(literal, in: folder) else {
        continue
      }
      let isReachable = reachable.contains { path == $0 || path.hasPrefix("\($0)/") }
      if !isReachable, !found.contains(path) { found.append(path) }
    }
    paths = found
  }

  /// What to tell a person whose build failed; nil when nothing lies outside.
  var advice: String? {
    guard !paths.isEmpty else { return nil }
    let verb = paths.count == 1 ? "lies" : "lie"
    let pronoun = paths.count == 1 ? "it" : "them"
    return
      "\(paths.joined(separator: ", ")) \(verb) outside the sandbox. Let \(pronoun) in with 'sandbox: {read: […]}' in the bot file, or run with --sandbox off."
  }

  private static func local(_ literal: Substring, in folder: String) -> String? {
    if literal.hasPrefix("file:///") { return normal(literal.dropFirst("file://".count)) }
    if literal.hasPrefix("/") { return normal(literal) }
    return literal.hasPrefix("../") || literal == ".." ? normal("\(folder)/\(literal)") : nil
  }

  private static func normal(_ path: some StringProtocol) -> String {
    var parts: [Substring] = []
    for part in String(path).split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
