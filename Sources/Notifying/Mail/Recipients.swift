package import Model

/// The recipients of a mail.
package struct Recipients: Hashable, Sendable {
  /// A person who probably caused the new issues, and receives a separate mail.
  package struct Suspected: Hashable, Sendable {
    /// The address to which the mail is sent.
    package var address: String
    /// The addresses in the person's commits.
    package var commitsAs: [String]
  }

  /// The recipients of the common mail, each once, in the order in which they were named; suspects are excluded.
  package var addresses: [String] = []
  /// The suspects, each once, most suspected first.
  package var suspects: [Suspected] = []
  /// The reasons why named people receive nothing, as sentences.
  package var refusals: [String] = []

  /// - Parameters:
  ///   - trigger: The recipients that the bot names.
  ///   - suspects: Addresses from the commits of people who are also notified, provided that they are among the
  ///     server's people or in a domain that the trigger allows: anyone may have committed to a public package.
  ///   - mailAccount: The people and aliases of the server.
  package init(_ trigger: Trigger.Mail, suspects: [String], mailAccount: MailAccount) {
    let known = addressBook(of: mailAccount)
    for email in suspects where trigger.suspects {
      let own = known[email.lowercased()]
      if own == nil, Self.isNobody(email) {
        refusals.append("\(email) is not a mailbox; name the person under 'people' in martlet.yml")
      } else if own == nil, trigger.allowedDomains.isEmpty, MailAddress.isValid(email) {
        refusals.append(
          "\(email) is not known to Martlet; name the person under 'people' in martlet.yml, or the domain in 'allowed-domains'"
        )
      } else if mayHaveMail(own ?? email, trigger.allowedDomains) {
        add(own ?? email, who: email)
      }
    }
    for name in trigger.to {
      for address in Self.addresses(of: name, mailAccount) where mayHaveMail(address, trigger.allowedDomains) {
        let isTold = addresses.contains { $0.isSame(address) } || self.suspects.contains { $0.address.isSame(address) }
        if !isTold { addresses.append(address) }
      }
    }
  }

  private mutating func add(_ address: String, who email: String) {
    if let index = suspects.firstIndex(where: { $0.address.isSame(address) }) {
      suspects[index].commitsAs.append(email)
    } else {
      suspects.append(Suspected(address: address, commitsAs: [email]))
    }
  }

  private mutating func mayHaveMail(_ address: String, _ domains: [String]) -> Bool {
    guard MailAddress.isValid(address) else {
      // An address in a commit can be anything.
      refusals.append("'\(address.prefix(100))' is no address")
      return false
    }
    let domain = address.split(separator: "@").last?.lowercased() ?? ""
    guard domains.isEmpty || domains.contains(where: { $0.lowercased() == domain }) else {
      refusals.append("\(address) is not in a domain that 'allowed-domains' names")
      return false
    }
    return true
  }

  /// Returns the addresses that a name in the bot's file represents; an alias may name others.
  private static func addresses(of name: String, _ mailAccount: MailAccount) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    var names = [name]
    while !names.isEmpty {
      let name = names.removeFirst()
      guard seen.insert(name).inserted else { continue }
      if let members = mailAccount.aliases[name] {
        names = members + names
      } else {
        found.append(mailAccount.people[name]?.mail ?? name)
      }
    }
    return found
  }

  /// Returns whether an address is one of those that forges and git make up.
  private static func isNobody(_ address: String) -> Bool {
    let domain = address.split(separator: "@").last?.lowercased() ?? ""
    return domain.hasPrefix("users.noreply.") || domain == "localhost" || domain.hasSuffix(".local")
      || domain.hasSuffix(".(none)") || address.lowercased().hasPrefix("noreply@")
  }
}

/// Maps the addresses in commits to those that receive mail.
private func addressBook(of mailAccount: MailAccount) -> [String: String] {
  var book: [String: String] = [:]
  for (_, person) in mailAccount.people.sorted(by: { $0.key < $1.key }) {
    for address in [person.mail] + person.commitsAs { book[address.lowercased()] = person.mail }
  }
  return book
}

extension String {
  /// Returns whether both are the same mailbox; hardly any server distinguishes case there.
  fileprivate func isSame(_ address: String) -> Bool { lowercased() == address.lowercased() }
}
