package import Model

extension StoredIntegration {
  /// The log of one step.
  package struct Log: Sendable, Hashable {
    package var step: Step
    /// Its path.
    package var file: String
    /// Its size.
    package var bytes: Int
  }

  /// The logs that are kept, in the order of the steps.
  package var logs: [Log] {
    let names = Set(folder.folder("log").names())
    return Step.allCases.filter { names.contains(Self.name(of: $0)) }.map { step in
      let name = "log/\(Self.name(of: step))"
      return Log(step: step, file: folder.file(name), bytes: folder.size(of: name))
    }
  }

  /// What the programs of a step printed; nil when no log of it is kept.
  package func log(of step: Step) -> [UInt8]? { folder.folder("log").read(Self.name(of: step)) }

  /// The first page of the report beside the document; nil where it lies elsewhere.
  package var page: String? { folder.holds("index.html") ? folder.file("index.html") : nil }

  private static func name(of step: Step) -> String { "\(step.rawValue).log" }
}

extension StoredIntegrations {
  /// The first page of the report of a finished integration; nil when there is none.
  package func page(of document: IntegrationDocument) -> String? {
    let report = home.site(of: document.bot).folder("\(document.number)")
    return report.holds("index.html") ? report.file("index.html") : nil
  }
}
