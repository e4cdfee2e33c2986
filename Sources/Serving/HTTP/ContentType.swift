/// The content types of the site's files, by their extensions.
enum ContentType {
  static let page = "text/html; charset=utf-8"
  static let plainText = "text/plain; charset=utf-8"

  /// Returns the type of a file, and whether a browser may show it.
  ///
  /// Attachments and products were made by untrusted code: only their pictures are shown, whose kind was checked when
  /// they were stored.
  ///
  /// - Parameter path: The path from the top of the site, where a bot may be called as one of their folders.
  static func of(_ path: [String]) -> (type: String, isShown: Bool) {
    let ending = (path.last ?? "").split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
    if let picture = pictures[ending] { return (picture, true) }
    let isForeign = SiteFolder.pathInReport(path.dropFirst(2)).first.map(foreignFolders.contains) == true
    guard !isForeign, let known = own[ending] else { return ("application/octet-stream", false) }
    return (known, true)
  }

  private static let foreignFolders: Set = ["attachments", "archive"]

  private static let pictures = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
  ]

  private static let own = [
    "html": page, "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "json": "application/json",
    "csv": "text/csv; charset=utf-8", "txt": plainText, "log": plainText, "svg": "image/svg+xml",
  ]
}
