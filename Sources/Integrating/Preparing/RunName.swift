import Model

/// The name under which one-shot runs of a package are kept: that of the repository's folder, with that of the package
/// if another package of the repository has it.
///
/// The first to use a name owns it: small files in its folder record the repository and the package. A name that
/// belongs to a bot, or that differs from another only by the case of letters, is not used, so that runs share neither
/// numbers nor history with anything else.
struct RunName {
  /// The file that marks a folder as a bot's.
  static let botMark = "bot"
  /// The file that says which repository a folder belongs to.
  static let ownerFile = "repository"
  private static let packageFile = "package"

  let home: Home
  /// The repository's git folder.
  let commonPath: String
  /// The folder of the package, relative to the repository.
  let package: String
  /// The bots of the configuration, whether or not they have integrated anything.
  var bots: Set<String> = []

  /// Returns the name, which belongs to the package from now on.
  func claim(for repositoryName: String) throws(IntegratingError) -> String {
    let plain = FileSystemName.encode(repositoryName)
    let part = package.split(separator: "/").last.map(String.init) ?? package
    let name = package == "." ? plain : FileSystemName.encode("\(repositoryName)-\(part)")
    let place = package == "." ? commonPath : "\(commonPath)\n\(package)"
    let candidates =
      [plain] + (isBot(plain) ? ["\(plain)-run"] : []) + [name, "\(name)-\(FileSystemName.fingerprint(place))"]
    if let name = candidates.first(where: isOurs) ?? candidates.first(where: isFree) { return try claimed(name) }
    throw IntegratingError(
      .service,
      "cannot give \(commonPath) a name in \(home.folder.path): others have each that it could have. Use another --home."
    )
  }

  private func claimed(_ name: String) throws(IntegratingError) -> String {
    let folder = try home.integrations(of: name).create()
    for (file, text) in [(Self.ownerFile, commonPath), (Self.packageFile, package)] where !folder.holds(file) {
      try folder.write("\(text)\n", to: file)
    }
    return name
  }

  private func isBot(_ name: String) -> Bool {
    home.integrations(of: name).holds(Self.botMark) || bots.contains { $0.lowercased() == name.lowercased() }
      || others(like: name).contains { home.integrations(of: $0).holds(Self.botMark) }
  }

  private func isOurs(_ name: String) -> Bool {
    let folder = home.integrations(of: name)
    guard !bots.contains(name), !folder.holds(Self.botMark), Self.text(Self.ownerFile, in: folder) == commonPath else {
      return false
    }
    return (Self.text(Self.packageFile, in: folder) ?? lastPackage(of: name)) == package
  }

  private func isFree(_ name: String) -> Bool {
    !bots.contains { $0.lowercased() == name.lowercased() } && !home.integrations(of: name).holds(Self.ownerFile)
      && others(like: name).isEmpty
  }

  /// Returns the names in the home that differ from a name only by the case of letters.
  private func others(like name: String) -> [String] {
    home.integrations.names().filter { $0 != name && $0.lowercased() == name.lowercased() }
  }

  /// Returns the package that was last integrated under a name, if no file records it.
  private func lastPackage(of name: String) -> String {
    let stored = StoredIntegrations(in: home)
    let newest = stored.numbers(of: name).last
    // An unreadable integration was most probably of the root, as nearly all are.
    return newest.flatMap { try? stored.integration($0, of: name).document.package } ?? "."
  }

  private static func text(_ file: String, in folder: Folder) -> String? {
    folder.read(file).map { String(decoding: $0.last == UInt8(ascii: "\n") ? $0.dropLast() : $0[...], as: UTF8.self) }
  }
}

extension Home {
  /// Returns the name for one-shot runs of a package.
  ///
  /// - Parameter bots: the bots of the configuration.
  package func botName(
    for repositoryName: String, at commonPath: String, package: String = ".", besides bots: Set<String> = []
  ) throws(IntegratingError) -> String {
    try RunName(home: self, commonPath: commonPath, package: package, bots: bots).claim(for: repositoryName)
  }
}
