import FoundationEssentials
import Glibc
import Model
import Notifying
import Rendering

/// The result of an integration that another machine carried out, on its way into the home that keeps it.
///
/// It is fetched into `incoming`, checked there and renamed to `result`; from then on it is taken in even if this process
/// dies: the kept files are moved to their place, which makes the integration finished, then come the index, the report
/// and the messages, each in one step that is not repeated. Documents and messages are on the disk before the
/// machine may remove its own.
struct HandedResult {
  /// The result does not fit its order.
  struct Refusal: Error {
    /// A sentence.
    var reason: String
  }

  private let order: IntegrationOrder
  private let id: String
  private let home: Home

  init(_ order: IntegrationOrder, id: String, home: Home) {
    (self.order, self.id, self.home) = (order, id, home)
  }

  private var folder: Folder { HandoverFolder(id, in: home).folder }
  private var result: Folder { folder.folder(HandoverFolder.result) }
  private var incoming: Folder { folder.folder("incoming") }
  private var kept: Folder { home.integration(order.number, of: order.bot.name) }
  private var report: Folder { home.report(order.number, of: order.bot.name) }

  private static let parts = ["kept", "report", "outbox"]
  private static let documentPath = "kept/\(StoredIntegration.fileName)"

  /// Checks what a machine says that it has made.
  func check(_ manifest: ResultManifest) throws(Refusal) {
    guard manifest.id == id, manifest.bot == order.bot.name, manifest.number == order.number else {
      throw Refusal(reason: "The result is that of \(manifest.bot) \(manifest.number), which was not ordered.")
    }
    guard manifest.files.contains(where: { $0.path == Self.documentPath }) else {
      throw Refusal(reason: "The result has no \(StoredIntegration.fileName).")
    }
    let areInner = manifest.files.allSatisfy { file in
      FileStream.isInner(file.path) && Self.parts.contains { file.path.hasPrefix("\($0)/") } && file.bytes >= 0
    }
    guard areInner, Set(manifest.files.map(\.path)).count == manifest.files.count else {
      throw Refusal(reason: "The result has files with names that lead elsewhere or come twice.")
    }
  }

  /// Makes the folder into which files are fetched, with those that an earlier report has, too.
  ///
  /// - Returns: the folder, and the paths of the files to be fetched.
  func prepare(for manifest: ResultManifest) throws -> (folder: Folder, wanted: [String]) {
    try incoming.remove()
    for part in Self.parts { try incoming.folder(part).create() }
    let earlier = earlierReport
    var made: Set<String> = []
    var wanted: [String] = []
    for file in manifest.files {
      guard let earlier, file.path.hasPrefix("report/") else {
        wanted.append(file.path)
        continue
      }
      let path = String(file.path.dropFirst("report/".count))
      guard earlier.size(of: path) == file.bytes, ResultManifest.file(path, in: earlier)?.sha256 == file.sha256 else {
        wanted.append(file.path)
        continue
      }
      if let end = file.path.lastIndex(of: "/"), made.insert(String(file.path[..<end])).inserted {
        try incoming.folder(String(file.path[..<end])).create()
      }
      if !incoming.folder("report").share(path, of: earlier) { wanted.append(file.path) }
    }
    return (incoming, wanted)
  }

  /// The newest published report of the bot; most pages of two reports are the same.
  private var earlierReport: Folder? {
    home.site(of: order.bot.name).numbers.filter { $0 != order.number }.max()
      .map { home.report($0, of: order.bot.name) }
  }

  /// Checks the files that have come, and keeps them as the result.
  func accept(_ manifest: ResultManifest, from incoming: Folder) throws {
    for file in manifest.files {
      guard let found = ResultManifest.file(file.path, in: incoming), found.bytes == file.bytes,
        found.sha256 == file.sha256
      else {
        throw Refusal(reason: "The file \(VisibleText.of(file.path)) of the result is not what the machine says.")
      }
    }
    try checkDocument(in: incoming)
    // The pages are for everybody who may enter the site, as those that are made here.
    for path in incoming.folder("report").filesBeneath() { chmod(incoming.folder("report").file(path), 0o644) }
    try open(incoming.folder("report"))
    // Not the pages, of which there may be thousands: the documents tell the same.
    for part in ["kept", "outbox"] { try incoming.folder(part).synchronize() }
    try incoming.synchronizeNames()
    try result.remove()
    try incoming.rename(to: result)
    try folder.synchronizeNames()
  }

  private func open(_ folder: Folder) throws {
    guard chmod(folder.path, 0o755) == 0 else { throw IntegratingError.storage("open", folder.path, errno: errno) }
    for name in folder.names() {
      if stat(folder.file(name))?.isFolder == true { try open(folder.folder(name)) }
    }
  }

  /// Checks that the document tells of what was ordered, and agrees with itself.
  private func checkDocument(in incoming: Folder) throws(Refusal) {
    let kept = incoming.folder("kept")
    let stored: StoredIntegration
    do throws(IntegratingError) {
      stored = try StoredIntegration(in: kept)
    } catch {
      throw Refusal(reason: "The result cannot be read: \(error)")
    }
    let document = stored.document
    guard isOfOrder(document) else {
      throw Refusal(
        reason:
          "The result is of \(VisibleText.of(document.bot)) \(document.number) at \(document.commit.id.short), and ordered was \(order.bot.name) \(order.number) at \(order.commit.short)."
      )
    }
    if let contradiction = ResultContradiction(document) {
      throw Refusal(reason: contradiction.sentence)
    }
    if let pages = incoming.folder("report").read(StoredIntegration.fileName), pages != stored.bytes {
      throw Refusal(reason: "The report is not that of the result.")
    }
    if document.coverage.available, !kept.holds(CoverageDocument.fileName) {
      throw Refusal(reason: "The result tells of coverage, and has no \(CoverageDocument.fileName).")
    }
  }

  private func isOfOrder(_ document: IntegrationRecord) -> Bool {
    document.bot == order.bot.name && document.number == order.number && document.commit.id == order.commit
      && document.branch == order.branch && document.tag == order.tag && document.cause == order.cause
      && abs(document.queuedAt.timeIntervalSince(order.queuedAt)) < 1
  }

  /// Takes the result in, or goes on with it where another process was killed.
  ///
  /// - Returns: nil if there is no result here, neither waiting nor in its place.
  func finishTakingIn() throws(IntegratingError) -> IntegrationSummary? {
    let place = kept
    if !place.holds(StoredIntegration.fileName) {
      guard result.folder("kept").holds(StoredIntegration.fileName) else { return nil }
      // Until now it held the logs as they came.
      try place.remove()
      try result.folder("kept").rename(to: place)
    }
    let stored = try StoredIntegration(in: place)
    guard isOfOrder(stored.document) else { return nil }
    let taken = ResultFolder(home: home, bot: order.bot.name, number: order.number, document: stored.bytes)
    try taken.addRow()
    let pages = result.folder("report")
    if !report.exists, pages.holds(StoredIntegration.fileName) {
      try home.site(of: order.bot.name).create()
      try taken.put(report: pages)
    } else {
      // It may have been closed on this machine, by a process that was killed before the report was in its place.
      try StoredIntegrations(in: home).complete(stored)
    }
    if place.holds("archive") {
      try home.integrations(of: order.bot.name).link("latest", to: "\(order.number)/archive")
    }
    try HeldMessages(in: result.folder("outbox")).release(into: home)
    try synchronizePlaces()
    try folder.remove()
    return IntegrationSummary(of: stored.document, bytes: home.bytes(of: order.bot.name, order.number))
  }

  /// Has the disk keep that everything is in its place.
  private func synchronizePlaces() throws(IntegratingError) {
    let (integrations, site) = (home.integrations(of: order.bot.name), home.site(of: order.bot.name))
    let places = [
      integrations, home.integrations, site, home.site, Folder(home.outbox),
    ]
    for place in places where place.exists { try place.synchronizeNames() }
  }
}

/// What is contradictory in a summary document, so that it proves nothing.
enum ResultContradiction: Hashable {
  /// The counts of tests do not add up.
  case counts
  /// There are other tests than were listed, or they ended otherwise than they are counted.
  case cases
  /// It is green, although tests are red that nobody silenced, or tests did not run.
  case green

  init?(_ document: IntegrationRecord) {
    let cells = document.cells ?? []
    let found = ([document.own ?? document] + cells).lazy.compactMap(Self.contradiction).first
    let isRed = cells.contains { cell in
      guard let destination = cell.destination, let outcome = destination.outcome else { return false }
      return destination.required && outcome.isConclusive && !outcome.isGreen
    }
    guard let contradiction = found ?? (document.outcome.isGreen && isRed ? .green : nil) else { return nil }
    self = contradiction
  }

  /// Compares what the document of one destination says with its list of tests.
  private static func contradiction(in document: IntegrationRecord) -> ResultContradiction? {
    let (tests, counts) = (document.tests, document.tests.counts)
    guard counts.listed == tests.listed else { return .counts }
    guard tests.cases.count == tests.listed else { return .cases }
    let told: [TestState: Int] = [
      .passed: counts.passed, .failed: counts.failed, .expectedFailure: counts.expectedFailures,
      .skipped: counts.skipped, .crashed: counts.crashed, .timedOut: counts.timedOut, .canceled: counts.canceled,
      .notRun: counts.notRun,
    ]
    let isSo = told.allSatisfy { state, count in tests.cases.count { $0.state == state } == count }
    guard isSo else { return .cases }
    let silenced = tests.cases.count { $0.state.isRed && $0.silenced != nil }
    return document.outcome.isGreen && (counts.red > silenced || counts.notRun > 0) ? .green : nil
  }

  var sentence: String {
    switch self {
    case .counts: "The result contradicts itself: the counts of its tests do not add up."
    case .cases: "The result contradicts itself: it counts other tests than it lists."
    case .green: "The result contradicts itself: it is green with tests that are red or did not run."
    }
  }
}
