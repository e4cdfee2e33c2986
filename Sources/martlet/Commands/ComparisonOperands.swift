import Integrating
import Model

/// The operands of `martlet compare`, which identify two finished integrations.
struct ComparisonOperands {
  let words: [String]
  let stored: StoredIntegrations
  let context: Context
  private static let help = "martlet help compare"

  func read() throws -> (StoredIntegration, StoredIntegration) {
    guard let first = words.first else { return try withBaseline(operand(nil)) }
    if words.count == 1 {
      if isRevision(first) {
        throw UsageError(
          "'\(first)' is no integration, and one revision is not compared. Name two. See '\(Self.help)'."
        )
      }
      return try withBaseline(operand(first))
    }
    if isRevision(first) {
      let path = context.absolute(words.count > 2 ? words[2] : ".")
      return try stored.integrations(of: (first, words[1]), inRepositoryAt: path)
    }
    guard words.count == 2 else { throw UsageError("unexpected argument '\(words[2])'. See '\(Self.help)'.") }
    let before = try operand(first)
    let number = words[1].prefix { $0 != ":" }
    if Int(number) != nil { return (before, try operand("\(before.document.bot)/\(words[1])")) }
    return (before, try operand(words[1]))
  }

  private func operand(_ word: String?) throws -> StoredIntegration {
    try IntegrationOperand(word, in: stored, for: CompareCommand(), context).read()
  }

  private func withBaseline(_ after: StoredIntegration) throws -> (StoredIntegration, StoredIntegration) {
    let document = after.document
    guard let number = document.baseline else {
      throw UsageError(
        "\(document.bot)/\(document.number) has no baseline to be compared with. Name another integration. See '\(Self.help)'."
      )
    }
    return (try operand("\(document.bot)/\(number)"), after)
  }

  /// Returns whether a word has to be looked up in a repository: it names neither a bot nor a folder with an
  /// integration.
  private func isRevision(_ word: String) -> Bool {
    if word.hasPrefix("/") || word.hasPrefix("./") || word.hasPrefix("../") || word.hasSuffix("/") { return false }
    let name = IntegrationName(String(word.prefix { $0 != ":" }))
    if let name, name.number != nil || stored.bots.contains(name.bot) { return false }
    return !StoredIntegration.isHeld(by: context.absolute(word))
  }
}
