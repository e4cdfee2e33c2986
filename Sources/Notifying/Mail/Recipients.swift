package import Model

/// Who gets a mail.
package struct Recipients: Hashable, Sendable {
  /// Each once, in the order in which they were named.
  package var addresses: [String] = []
  /// Why somebody who was named gets nothing, as sentences.
  package var refusals: [String] = []

  /// - Parameters:
  ///   - trigger: whom the bot names.
  ///   - suspects: the addresses in commits of the people who are to be told too.
  ///   - mailing: the people and aliases of the server.
  package init(_ trigger: Trigger.Mail, suspects: [String], mailing: Mailing) {
    let known = addressBook(of: mailing)
    for name in trigger.to {
      for address in Self.addresses(of: name, mailing) { add(address, trigger.allowedDomains) }
    }
    for suspect in suspects where trigger.suspects {
      let own = known[suspect.lowercased()]
      if own == nil, Self.isNobody(suspect) {
        refusals.append("\(suspect) is no mailbox; name the person under 'people' in martlet.yml")
      } else {
        add(own ?? suspect, trigger.allowedDomains)
      }
    }
  }

  private mutating func add(_ address: String, _ domains: [String]) {
    guard MailAddress.isValid(address) else {
      // What stands in a commit can be anything.
      refusals.append("'\(address.prefix(100))' is no address")
      return
    }
    let domain = address.split(separator: "@").last?.lowercased() ?? ""
    guard domains.isEmpty || domains.contains(where: { $0.lowercased() == domain }) else {
      refusals.append("\(address) is not in a domain that 'allowed-domains' names")
      return
    }
    if !addresses.contains(where: { $0.lowercased() == address.lowercased() }) { addresses.append(address) }
  }

  /// The addresses that a name in the bot's file stands for; an alias may name others.
  private static func addresses(of name: String, _ mailing: Mailing) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    var names = [name]
    while !names.isEmpty {
      let name = names.removeFirst()
      guard seen.insert(name).inserted else { continue }
      if let members = mailing.aliases[name] {
        names = members + names
      } else {
        found.append(mailing.people[name]?.mail ?? name)
      }
    }
    return found
  }

  /// Addresses that forges and git make up.
  private static func isNobody(_ address: String) -> Bool {
    let domain = address.split(separator: "@").last?.lowercased() ?? ""
    return domain.hasPrefix("users.noreply.") || domain == "localhost" || domain.hasSuffix(".local")
      || domain.hasSuffix(".(none)") || address.lowercased().hasPrefix("noreply@")
  }
}

/// Where mail goes for the address in a commit.
private func addressBook(of mailing: Mailing) -> [String: String] {
  var book: [String: String] = [:]
  for (_, person) in mailing.people.sorted(by: { $0.key < $1.key }) {
    for address in [person.mail] + person.commitsAs { book[address.lowercased()] = person.mail }
  }
  return book
}
