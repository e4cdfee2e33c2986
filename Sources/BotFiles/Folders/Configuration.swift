import Glibc
package import Model

/// The folder with `martlet.yml`, `bots/` and `secrets/`.
package struct Configuration: Sendable {
  /// Absolute.
  package var folder: String
  /// The folder of bot files, absolute; `bots` in `folder` unless somebody named another.
  package var botsFolder: String
  /// The user's home folder; nil when there is none.
  package var userHome: String?

  /// Finds the folder: `MARTLET_CONFIG`, or `martlet` in the XDG configuration folder.
  ///
  /// https://specifications.freedesktop.org/basedir-spec/latest/
  ///
  /// - Parameter bots: the folder that `--bots` names.
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
    return Configuration(folder: folder, botsFolder: bots.map(absolute) ?? "\(folder)/bots", userHome: home)
  }

  package init(folder: String, botsFolder: String? = nil, userHome: String?) {
    self.folder = folder
    self.botsFolder = botsFolder ?? "\(folder)/bots"
    self.userHome = userHome
  }

  /// The settings of the server, there or not.
  package var settingsFile: String { "\(folder)/martlet.yml" }

  /// The file of one bot, there or not.
  package func file(of bot: String) -> String { "\(botsFolder)/\(bot).yml" }

  /// The secrets of one bot, there or not.
  package func secretsFile(of bot: String) -> String { "\(folder)/secrets/\(bot).env" }

  /// The secrets of the server itself, such as the login of its mail server, there or not.
  package var serverSecretsFile: String { "\(folder)/secrets.env" }
}

extension Configuration {
  /// Reads `martlet.yml`; without one everything is as by default.
  ///
  /// - Throws: everything that is wrong with the file.
  package func settings() throws(BotFileError) -> ServerSettings {
    let (settings, error) = settingsAsFarAsRight()
    if let error { throw error }
    return settings
  }

  /// Reads of `martlet.yml` what can be read.
  ///
  /// - Parameter shown: the path as messages show it; the path itself unless said.
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

  /// What is wrong with the certificates that `martlet.yml` names for the mail server; nil for nothing.
  ///
  /// - Parameter shown: the path of `martlet.yml` as messages show it.
  package func certificateProblem(_ settings: ServerSettings, shownAs shown: String) -> FileProblem? {
    guard let path = settings.mail?.authorities, let fault = CertificateFile.fault(at: path) else { return nil }
    // Without its bytes the place is missing, and the message is right all the same.
    let bytes = (try? RegularFile.read(settingsFile)) ?? []
    return FileProblem(file: shown, place: BotFile.place(of: ["mail", "ca"], in: bytes), message: fault)
  }

  /// The files of the bots folder that are bots, or look as if they were meant to be, by name; no folder is no bots.
  ///
  /// What lies in folders below it, what begins with a dot and what ends with neither `.yml` nor `.yaml` is no bot.
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

  /// Reads one bot file.
  ///
  /// Relative paths begin in the folder that the file really lies in, behind links.
  ///
  /// - Parameter shown: the path as messages show it; the path itself unless said.
  package func bot(at path: String, shownAs shown: String? = nil, settings: ServerSettings) throws(BotFileError) -> Bot
  {
    try bot(at: path, bytes: bytes(ofBotAt: path, shownAs: shown), shownAs: shown, settings: settings)
  }

  /// Reads one bot file whose bytes are known already.
  package func bot(at path: String, bytes: [UInt8], shownAs shown: String? = nil, settings: ServerSettings)
    throws(BotFileError) -> Bot
  {
    let surroundings = Surroundings(folder: Self.realFolder(of: path), home: userHome, settings: settings)
    return try BotFile.read(bytes, name: Self.name(ofBotAt: path), file: shown ?? path, in: surroundings)
  }

  /// The bytes of one bot file.
  package func bytes(ofBotAt path: String, shownAs shown: String? = nil) throws(BotFileError) -> [UInt8] {
    guard path.hasSuffix(".yml") else {
      throw BotFileError(shown ?? path, "a bot's file is called NAME.yml; rename it")
    }
    do {
      return try RegularFile.read(path)
    } catch {
      throw BotFileError(shown ?? path, RegularFile.words(error))
    }
  }

  /// The name of the bot whose file this is.
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
