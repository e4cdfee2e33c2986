package import Model

/// The reader of bot files, `bots/<name>.yml`.
package enum BotFile {
  /// The longest name of a bot, in characters.
  package static let longestName = 80

  /// Reads a bot file. Settings that it omits come from the server's defaults.
  ///
  /// - Parameters:
  ///   - bytes: The file's contents.
  ///   - name: The bot's name, which is the file's without `.yml`.
  ///   - file: The file's path as shown in messages.
  /// - Throws: All problems with the file.
  package static func read(_ bytes: [UInt8], name: String, file: String, in surroundings: Surroundings)
    throws(BotFileError) -> Bot
  {
    if let reason = fault(inName: name) { throw BotFileError(file, reason) }
    let (bot, problems) = check(bytes, name: name, file: file, in: surroundings)
    guard problems.isEmpty else { throw BotFileError(problems) }
    return bot
  }

  /// Reads the valid parts, and returns the problems with the rest.
  private static func check(_ bytes: [UInt8], name: String, file: String, in surroundings: Surroundings)
    -> (Bot, [FileProblem])
  {
    var bot = surroundings.settings.defaults
    bot.name = name
    let document = Document(bytes, file: file)
    let findings = document.findings
    guard let root = document.root else {
      if findings.isEmpty { findings.add(at: 0, "the file is empty; a bot needs at least 'repository: PATH'") }
      return (bot, findings.problems)
    }
    guard let fields = root.fields("repository: ~/git/Greeter.git") else { return (bot, findings.problems) }
    let reader = BotReader(surroundings: surroundings)
    if let field = fields.field("repository") {
      if !field.reportsMissingValue(), let (path, remote) = field.repository(in: surroundings) {
        (bot.repository, bot.remote) = (path, remote)
      }
    } else {
      findings.add(at: fields.start, "'repository' is missing; write repository: PATH")
    }
    reader.read(fields, into: &bot)
    reader.check(bot, fields)
    if findings.isEmpty { reader.checkRemote(of: &bot, fields) }
    return (bot, findings.problems)
  }

  /// Returns the reason a text cannot be a bot's name, which is also used for folders, or nil if it can.
  ///
  /// - Parameter owner: What else is to have such a name.
  package static func fault(inName name: String, of owner: String = "a bot") -> String? {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || 0x30...0x39 ~= $0.value || "._-".unicodeScalars.contains($0))
    }
    if isPlain, let first = name.first, first.isLetter || first.isNumber, name.count <= longestName { return nil }
    return
      "'\(name.shortened)' cannot be \(owner)'s name; it needs 1 to \(longestName) letters, digits, '.', '_' and '-' (of ASCII), the first a letter or digit"
  }
}

extension BotFile {
  /// The index of an element that is not enclosed in a list.
  private static let onlyElement = "0"

  /// Returns the place of a value in a file, for a problem found later.
  ///
  /// - Parameter path: Keys, and for an element of a list its index.
  /// - Returns: Nil if the file does not contain the value, so that it comes from the defaults.
  package static func place(of path: [String], in bytes: [UInt8]) -> FileProblem.Place? {
    let document = Document(bytes, file: "")
    guard var node = document.root?.node else { return nil }
    for step in path {
      switch node.content {
      case .mapping(let entries):
        if let entry = entries.first(where: { $0.key == step }) {
          node = entry.value
        } else if step != onlyElement {
          return nil
        }
      case .list(let nodes):
        guard let index = Int(step), nodes.indices.contains(index) else { return nil }
        node = nodes[index]
      case .scalar where step == onlyElement: continue
      case .scalar: return nil
      }
    }
    return FileProblem.Place(node.start, in: document.findings.source)
  }
}
