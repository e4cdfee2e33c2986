import Model

/// What scripts of a bot are told about the integration: one table, of which the variables and their explanation are made.
///
/// The second name of a variable is that of Xcode Server, so that old scripts go on working
/// (https://developer.apple.com/library/archive/documentation/IDEs/Conceptual/xcode_guide-continuous_integration/EnvironmentVariableReference.html).
package enum TriggerEnvironment {
  /// The folders that scripts are told about.
  struct Places: Hashable {
    /// The checked-out tree, and the package in it.
    var source: String
    var package: String
    /// The folder of what is kept of the integration.
    var kept: String
    /// SwiftPM's scratch folder.
    var scratch: String
    /// The folder of what the build made.
    var products: String
    /// The build's log; nil when it was not reached.
    var buildLog: String?
  }

  /// What the values are made of.
  struct Facts {
    var integration: Integration
    var places: Places
    /// Whether the integration has been judged.
    var isOver: Bool
  }

  /// One variable.
  struct Variable {
    /// Without the `MARTLET_` before it.
    var name: String
    /// The name without the `XCS_` before it; nil when Xcode Server has nothing of the kind.
    var other: String?
    /// A phrase.
    var meaning: String
    /// Nil where there is nothing to tell, and the variable is not set.
    var value: @Sendable (Facts) -> String?

    init(
      _ name: String, _ other: String?, _ meaning: String, _ value: @escaping @Sendable (Facts) -> String?
    ) {
      self.name = name
      self.other = other
      self.meaning = meaning
      self.value = value
    }
  }

  /// The variables of a script, under both names.
  static func variables(_ facts: Facts) -> [String: String] {
    var variables = ["MARTLET": "1", "XCS": "1"]
    for variable in table {
      // A value with a zero byte cannot be handed over.
      guard let value = variable.value(facts), !value.utf8.contains(0) else { continue }
      variables["MARTLET_\(variable.name)"] = value
      if let other = variable.other { variables["XCS_\(other)"] = value }
    }
    return variables
  }

  /// What `martlet help triggers` prints.
  package static var explanation: String {
    let width = table.map(\.name.count).max() ?? 0
    let rows = table.map { variable in
      let gap = String(repeating: " ", count: width + 2 - variable.name.count)
      return "  MARTLET_\(variable.name)\(gap)\(variable.meaning)"
    }
    let renamed = table.filter { $0.other != nil && $0.other != $0.name }
      .map { "  XCS_\($0.other ?? "") is MARTLET_\($0.name)" }
    let names = table.filter { $0.other == nil }.map { "MARTLET_\($0.name)" }
    let own = stride(from: 0, to: names.count, by: 4).map { start in
      names[start..<min(start + 4, names.count)].joined(separator: ", ")
    }.joined(separator: ",\n    ")
    return """
      Before-triggers run after the checkout, in the order of the bot's file; one that fails ends the integration as
      trigger-error. After-triggers run when the outcome is known, before the report is written; one that fails is an
      issue, and makes the outcome at least warnings. A canceled integration runs no after-triggers, and without a
      checkout no script of the package runs. A script fails when it does not end with exit status 0 within its time.

      \(messages)

      Scripts start in the package's folder, with the interpreter of their first line (#!) or /bin/sh. They run in the
      sandbox of the bot with the network and with a home of their own in memory; they can write the checked-out files,
      and read what is kept of the integration. Secrets are variables of their own names.

      After-triggers have the commit's files checked out once more, with what before-triggers did to them, where nothing
      was built or tested; an archive is built of the same files. What the build and the tests wrote is not there.

      To deploy, give an after-trigger the folders of this machine that it can write: {after: {beside: deploy.sh}, when:
      [success], write: [/srv/greeter]}. Builds and tests cannot write them for that. With 'network: false' it has no
      network. For a script of the package 'write' holds on 'secret-branches' only, as secrets do.

      'when' runs an after-trigger if one of its conditions holds: success (succeeded, warnings or analyzer-warnings),
      failure (every other outcome), warnings, analyzer-warnings, test-failures, build-errors (this very outcome),
      all-resolved (the last open issue has gone), always.

      MARTLET is 1, and these say more; what is not known is not set, as changes where nothing can be compared:

      \(rows.joined(separator: "\n"))

      For the scripts of Xcode Server, XCS and the same names with XCS_ instead of MARTLET_ hold the same values, but:

      \(renamed.joined(separator: "\n"))
        there is no XCS_ name for \(own)
      """
  }
}
