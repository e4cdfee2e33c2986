import Glibc
package import Model

/// The folder that contains `martlet.yml`, `bots/` and `secrets/`.
package struct Configuration: Sendable {
  /// The absolute path of the folder.
  package var folder: String
  /// The absolute path of the folder of bot files; `bots` in `folder` unless another was specified.
  package var botsFolder: String
  /// The user's home folder; nil if there is none.
  package var userHome: String?

  /// Locates the folder: `MARTLET_CONFIG`, or `martlet` in the XDG configuration folder.
  ///
  /// https://specifications.freedesktop.org/basedir-spec/latest/
  ///
  /// - Parameter bots: The folder given by `--bots`.
  package static func locate(bots: String? = nil, environment: [String: String], currentFolder: String)
    throws(BotFileError) -> Configuration
  {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let absolute = { (path: String) in path.hasPrefix("/") ? path : "\(currentFolder)/\(path)" }
    let folder: String
    if let named = environment["MARTLET_CONFIG"], !named.isEmpty {
      folder = absolute(named)
    } else if let xdg = environment["XDG_CONFIG_HOME"], xdg.hasPrefix("/") {
      folder = "\(xdg)/martlet"
    } else if let home {
      folder = "\(home)/.config/martlet"
    } else {
      throw BotFileError(
        "martlet.yml", "cannot be found: neither HOME nor MARTLET_CONFIG is set; set one of them")
    }
    return Configuration(folder: folder, botsFolder: bots.map(absolute), userHome: home)
  }

  package init(folder: String, botsFolder: String? = nil, userHome: String?) {
    self.folder = folder
    self.botsFolder = botsFolder ?? "\(folder)/bots"
    self.userHome = userHome
  }

  /// The path of the server's settings, which may not exist.
  package var settingsFile: String { "\(folder)/martlet.yml" }

  /// Returns the path of a bot's file, which may not exist.
  package func file(of bot: String) -> String { "\(botsFolder)/\(bot).yml" }

  /// Returns the path of a bot's secrets, which may not exist.
  package func secretsFile(of bot: String) -> String { "\(folder)/secrets/\(bot).env" }

  /// The path of the server's own secrets, such as the login of its mail server, which may not exist.
  package var serverSecretsFile: String { "\(folder)/secrets.env" }
}

extension Configuration {
  /// Reads `martlet.yml`, or returns the defaults if it does not exist.
  ///
  /// - Throws: All problems with the file.
  package func settings() throws(BotFileError) -> ServerSettings {
    let (settings, error) = settingsAsFarAsRight()
    if let error { throw error }
    return settings
  }

  /// Reads the valid parts of `martlet.yml`.
  ///
  /// - Parameter shown: The path as shown in messages; defaults to the path itself.
  package func settingsAsFarAsRight(shownAs shown: String? = nil) -> (ServerSettings, BotFileError?) {
    let file = shown ?? settingsFile
    do throws(RegularFile.Failure) {
      let surroundings = Surroundings(folder: Self.realFolder(of: settingsFile), home: userHome)
      return SettingsFile.readWhatIsRight(try RegularFile.read(settingsFile), file: file, in: surroundings)
    } catch .missing {
      return (ServerSettings(), nil)
    } catch {
      return (ServerSettings(), BotFileError(file, RegularFile.words(error)))
    }
  }

  /// Returns the problem with the mail server's certificates named in `martlet.yml`, or nil if there is none.
  ///
  /// - Parameter shown: The path of `martlet.yml` as shown in messages.
  package func certificateProblem(_ settings: ServerSettings, shownAs shown: String) -> FileProblem? {
    guard let path = settings.mail?.authorities, let fault = CertificateFile.fault(at: path) else { return nil }
    // Without the bytes the place is missing, but the message is still correct.
    let bytes = (try? RegularFile.read(settingsFile)) ?? []
    return FileProblem(file: shown, place: BotFile.place(of: ["mail", "ca"], in: bytes), message: fault)
  }

  /// Returns warnings of toolchains named in `martlet.yml` that are not there.
  ///
  /// - Parameter shown: The path of `martlet.yml` as shown in messages.
  package func toolchainWarnings(_ settings: ServerSettings, shownAs shown: String) -> [FileProblem] {
    let missing = settings.toolchains.filter { access($0.value, F_OK) != 0 }
    guard !missing.isEmpty else { return [] }
    // As above.
    let bytes = (try? RegularFile.read(settingsFile)) ?? []
    return missing.sorted { $0.key < $1.key }.map { name, path in
      FileProblem(
        file: shown, place: BotFile.place(of: ["toolchains", name], in: bytes), message: "warning: there is no \(path)")
    }
  }

  /// Returns the bot files in the bots folder, and files that seem intended to be bot files, sorted by name. There are
  /// none if the folder does not exist.
  ///
  /// Ignores files in subfolders, names that begin with a dot, and names that do not end with `.yml` or `.yaml`.
  package func botFiles() throws(BotFileError) -> [String] {
    guard let folder = opendir(botsFolder) else {
      if errno == ENOENT { return [] }
      throw BotFileError(botsFolder, "the folder of bots cannot be read: \(SystemReason.words(of: errno))")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix("."), name.hasSuffix(".yml") || name.hasSuffix(".yaml") { names.append(name) }
    }
    return names.sorted { Self.name(ofBotAt: $0) < Self.name(ofBotAt: $1) }.map { "\(botsFolder)/\($0)" }
  }

  /// Reads a bot file.
  ///
  /// Relative paths refer to the folder that actually contains the file, with links resolved.
  ///
  /// - Parameter shown: The path as shown in messages; defaults to the path itself.
  package func bot(at path: String, shownAs shown: String? = nil, settings: ServerSettings) throws(BotFileError) -> Bot
  {
    try bot(at: path, bytes: bytes(ofBotAt: path, shownAs: shown), shownAs: shown, settings: settings)
  }

  /// Reads a bot file whose bytes are already known.
  package func bot(at path: String, bytes: [UInt8], shownAs shown: String? = nil, settings: ServerSettings)
    throws(BotFileError) -> Bot
  {
    let surroundings = Surroundings(folder: Self.realFolder(of: path), home: userHome, settings: settings)
    return try BotFile.read(bytes, name: Self.name(ofBotAt: path), file: shown ?? path, in: surroundings)
  }

  /// Returns the bytes of a bot file.
  package func bytes(ofBotAt path: String, shownAs shown: String? = nil) throws(BotFileError) -> [UInt8] {
    let bytes = try RegularFile.read(path, shownAs: shown ?? path)
    guard path.hasSuffix(".yml") else {
      throw BotFileError(shown ?? path, "a bot's file is called NAME.yml; rename it")
    }
    return bytes
  }

  /// Returns the name of the bot to which a file belongs.
  package static func name(ofBotAt path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".yml") ? String(file.dropLast(4)) : file
  }

  private static func realFolder(of path: String) -> String {
    let resolved = realpath(path, nil)
    defer { free(resolved) }
    let file = resolved.map { String(cString: $0) } ?? path
    return file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "/"
  }
}
