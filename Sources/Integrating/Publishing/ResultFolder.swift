import Model
import Rendering

/// The result of an integration on its way into the home, whoever carried it out: the summary document, and the report
/// in a folder aside.
///
/// The order of the steps is what `kill -9` at any point can be mended after: the document makes the integration
/// finished, the row of the index is made from it, and the report only has to be renamed.
struct ResultFolder {
  let home: Home
  let bot: String
  let number: Int
  /// The bytes of `integration.json`.
  let document: [UInt8]

  var report: Folder { home.report(number, of: bot) }

  /// Writes the summary document, which makes the integration finished, and adds its row to the index.
  func finish() throws(IntegratingError) {
    try home.integration(number, of: bot).write(document, to: StoredIntegration.fileName)
    try addRow()
  }

  /// Adds the row of the finished integration to the index.
  func addRow() throws(IntegratingError) {
    // The row is made from what can be read back, so that it is the same when the index is made again. A document that
    // cannot be read, because a secret is a word of the format, is in no list.
    if let record = try? IntegrationRecord(reading: document) { try PastIndex(of: home).add(record) }
  }

  /// Puts a complete report in its place, where an earlier one of the integration may be.
  func put(report aside: Folder) throws(IntegratingError) {
    guard report.exists else { return try aside.rename(to: report) }
    // The watcher clears what it finds under such a name. If this is killed, the report only has to be renamed again.
    let old = home.site(of: bot).folder(".removed-\(number)")
    try old.remove()
    try report.rename(to: old)
    try aside.rename(to: report)
    try old.remove()
  }
}
