extension ServerSettings {
  /// What the server is set to and does not do yet, as sentences.
  ///
  /// TODO(when mail is sent): remove it.
  package var unfulfilled: [String] {
    let isAsked = mail != nil || !people.isEmpty || !aliases.isEmpty
    return isAsked ? ["'mail', 'people' and 'aliases' do nothing in this version: no mail is sent."] : []
  }
}

extension Bot {
  /// A setting that this version of Martlet reads and does not act on yet.
  package struct Unfulfilled: Hashable, Sendable {
    /// The way to the setting in the bot's file.
    package var path: [String]
    /// What does not happen, as a sentence.
    package var sentence: String
  }

  /// What the bot is set to and does not do yet; nobody should rely on it in silence.
  ///
  /// TODO(when a setting works): remove its line here.
  package var unfulfilled: [Unfulfilled] {
    var found: [Unfulfilled] = []
    func add(_ isAsked: Bool, _ path: [String], _ what: String) {
      guard isAsked else { return }
      let setting = path.filter { Int($0) == nil }.joined(separator: ".")
      found.append(Unfulfilled(path: path, sentence: "'\(setting)' does nothing in this version: \(what)."))
    }
    for (index, trigger) in triggers.enumerated() {
      switch trigger {
      case .script: break
      case .mail: add(true, ["triggers", "\(index)"], "no mail is sent")
      case .webhook: add(true, ["triggers", "\(index)"], "no webhook is called")
      }
    }
    add(notes, ["notes"], "no git notes are written")
    add(tests.slow != TestSettings().slow, ["tests", "slow"], "slow tests are not listed")
    return found
  }
}
