import Comparing
import Model
import Rendering

/// The integrations of one bot whose coverage is asked for, each read once.
final class MeasuredIntegrations {
  private let folder: Folder
  private let package: String
  private let destination: String?
  private var known: [Int: MeasuredIntegration] = [:]

  /// - Parameters:
  ///   - folder: that of the bot's integrations.
  ///   - package: the package folder that the paths are to be relative to.
  ///   - destination: the destination whose own coverage is asked for; nil for that of the report.
  init(in folder: Folder, package: String, of destination: String? = nil) {
    self.folder = folder
    self.package = package
    self.destination = destination
  }

  /// Reads an integration, or what it came to for the destination; nil if there is none that can be read.
  func stored(_ number: Int) -> StoredIntegration? {
    let whole = PastResults(integrations: folder).stored(number)
    return destination.map { name in try? whole?.destination(name) } ?? whole
  }

  /// Reads an integration, if its coverage is complete and can be read.
  func integration(_ number: Int, of commit: CommitID) -> MeasuredIntegration? {
    if let known = known[number], known.commit == commit { return known }
    let read = stored(number).flatMap { MeasuredIntegration($0, of: commit, package: package) }
    if let read { known[number] = read }
    return read
  }

  /// The same for one that the index names; nil also without one.
  func integration(_ entry: IndexedIntegration?) -> MeasuredIntegration? {
    entry.flatMap { integration($0.number, of: $0.commit) }
  }

  /// What is known of an integration's coverage, which is read only where it is complete.
  func coverage(of entry: IndexedIntegration) -> KnownCoverage {
    let whole = folder.folder("\(entry.number)")
    let kept = whole.cell(destination)
    guard kept.holds(CoverageDocument.fileName) else {
      // What was not built was not measured either.
      let isUnmeasured = [.buildErrors, .checkoutError, .canceled].contains(entry.outcome)
      if whole.holds(StoredIntegration.fileName) || isUnmeasured { return .incomplete }
      return .unknown(.removed(entry.number))
    }
    if CoverageDocument.isComplete(beginning: kept.piece(of: CoverageDocument.fileName, bytes: 4096)) == false {
      return .incomplete
    }
    return integration(entry) == nil ? .unknown(.unreadable(entry.number)) : .complete
  }
}

extension MeasuredIntegrations {
  /// The maximum number of witnesses for a commit; the newest ones are taken.
  private static let mostWitnesses = 4
  /// The maximum number of integrations that are read to find them.
  private static let mostRead = 50

  /// Returns the other integrations of the same commit in which the same tests ended the same, under the same
  /// circumstances and with complete coverage, newest first: they show what runs by chance.
  ///
  /// A test that failed, crashed or was skipped ran other lines for that reason, not by chance.
  ///
  /// - Parameters:
  ///   - past: the bot's integrations, oldest first.
  ///   - others: the numbers of integrations that are no witnesses, because they are being compared.
  func witnesses(
    among past: [IndexedIntegration], besides others: Set<Int>, scope: String, like document: IntegrationRecord
  ) -> [CoverageEvidence.Witness] {
    let candidates = past.reversed().lazy.filter { entry in
      entry.commit == document.commit.id && !others.contains(entry.number) && entry.scope == scope && !entry.isDirty
        && entry.outcome.isConclusive
    }
    var witnesses: [CoverageEvidence.Witness] = []
    for entry in candidates.prefix(Self.mostRead) where witnesses.count < Self.mostWitnesses {
      // An unreadable document is no witness, nor is one of which only the summary was kept.
      guard let other = stored(entry.number),
        other.document.isAlike(document), other.document.destination?.adoptedFrom == nil,
        let coverage = (try? other.coverage())?.coverage(beneath: package), coverage.isComplete
      else { continue }
      witnesses.append(CoverageEvidence.Witness(number: entry.number, coverage: coverage))
    }
    return witnesses
  }
}

/// An earlier integration with complete coverage.
struct MeasuredIntegration {
  var coverage: Coverage
  /// The document of the integration, or of the destination that is asked for.
  var document: IntegrationRecord

  var number: Int { document.number }
  var commit: CommitID { document.commit.id }

  /// Reads an integration; nil if it is not of this commit, or if its coverage is incomplete.
  ///
  /// - Parameter package: the package folder to which paths are to be relative.
  init?(_ stored: StoredIntegration, of commit: CommitID, package: String) {
    // Coverage that cannot be read is no better than none.
    guard let coverage = try? stored.coverage(beneath: package), coverage.isComplete,
      stored.document.commit.id == commit
    else { return nil }
    self.coverage = coverage
    document = stored.document
  }
}
