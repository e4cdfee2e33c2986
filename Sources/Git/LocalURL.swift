/// Repository URLs that refer to a folder on this machine; see https://git-scm.com/docs/git-clone#_git_urls.
enum LocalURL {
  /// Returns the absolute path that a URL names, without dots, or nil if it refers to another machine.
  static func path(_ url: String) -> String? {
    let path = url.hasPrefix("file://") ? String(url.dropFirst(7)) : url
    return path.hasPrefix("/") ? resolve(path, against: "/") : nil
  }

  /// Returns whether a submodule's URL is relative to the location of its superproject.
  static func isRelative(_ url: String) -> Bool {
    url.hasPrefix("./") || url.hasPrefix("../")
  }

  /// Resolves a relative URL to a path. A superproject's own path counts as a folder.
  static func resolve(_ url: String, against base: String) -> String {
    var parts = base.split(separator: "/").map(String.init)
    for part in url.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}
