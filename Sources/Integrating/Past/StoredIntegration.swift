package import Model
import Parsing
package import Rendering

/// A finished integration, read back from its folder in the home or from a copy of its report.
package struct StoredIntegration: Sendable {
  /// The file that marks a folder as an integration's.
  static let fileName = "integration.json"

  package let document: IntegrationRecord
  /// The bytes from which the document was read.
  package let bytes: [UInt8]
  let folder: Folder

  /// Whether a folder contains an integration.
  package static func isHeld(by path: String) -> Bool { Folder(path).holds(fileName) }

  /// Reads the document of a folder.
  package init(in path: String) throws(IntegratingError) {
    try self.init(in: Folder(path))
  }

  init(in folder: Folder) throws(IntegratingError) {
    self.folder = folder
    let path = folder.file(Self.fileName)
    guard let bytes = folder.read(Self.fileName) else {
      throw IntegratingError(
        .request, "cannot read \(path): there is no such regular file. Name a folder that holds an integration.json.")
    }
    self.bytes = bytes
    do {
      document = try IntegrationRecord(reading: bytes)
    } catch {
      throw IntegratingError(
        .request,
        "cannot read \(path): it is not a complete \(IntegrationRecord.schemaName) document. Integrate the commit again to have it written anew."
      )
    }
    guard document.schema == IntegrationRecord.schemaName else {
      throw IntegratingError(
        .request,
        "cannot read \(path): it says that it is \(VisibleText.of(document.schema)), not \(IntegrationRecord.schemaName). Use the Martlet that wrote it."
      )
    }
  }

  /// Returns the result of one destination of the integration.
  ///
  /// - Throws: if it has no destination of that name.
  package func destination(_ name: String) throws(IntegratingError) -> StoredIntegration {
    if let own = document.own, own.destination?.name == name {
      return StoredIntegration(document: own, bytes: try own.encoded(), folder: folder)
    }
    guard let cell = document.cell(of: name) else {
      let names = document.destinationNames
      throw IntegratingError(
        .request,
        "\(document.bot)/\(document.number) has no destination '\(VisibleText.of(name))'. "
          + (names.isEmpty
            ? "It was built in one way only; leave out what follows the colon."
            : "It has \(CountText.list(names.map(VisibleText.of))).")
      )
    }
    return StoredIntegration(
      document: cell, bytes: try cell.encoded(), folder: folder.cell(name))
  }

  private init(document: IntegrationRecord, bytes: [UInt8], folder: Folder) {
    self.document = document
    self.bytes = bytes
    self.folder = folder
  }

  /// Reads the line coverage with what it leaves out, with paths relative to a folder of the repository; nil if there
  /// is none.
  func coverage(beneath package: String) throws(IntegratingError) -> Coverage? {
    guard var coverage = try coverage()?.coverage(beneath: package) else { return nil }
    let prefix = package == "." ? "" : "\(package)/"
    coverage.exclusions = (document.coverage.excluded ?? []).compactMap { exclusion in
      let path = document.repositoryPath(exclusion.path)
      guard path.hasPrefix(prefix) else { return nil }
      var exclusion = exclusion
      exclusion.path = String(path.dropFirst(prefix.count))
      return exclusion
    }
    return coverage
  }

  /// Reads the line coverage; nil if the folder has none, because there is no coverage or it was not copied.
  package func coverage() throws(IntegratingError) -> CoverageDocument? {
    guard let bytes = folder.read(CoverageDocument.fileName) else { return nil }
    do throws(ExportError) {
      return try CoverageDocument(reading: bytes)
    } catch {
      throw IntegratingError(.request, "\(folder.path): \(error)")
    }
  }
}

extension StoredIntegration {
  /// Reads which tests ran which lines, with paths relative to a folder of the repository; nil if that was not recorded.
  package func testMap(beneath package: String = ".") throws(IntegratingError) -> TestMap? {
    guard let bytes = folder.read(TestMapDocument.fileName) else { return nil }
    guard let text = Gzip.expand(bytes) else {
      throw IntegratingError(
        .request,
        "cannot read \(folder.file(TestMapDocument.fileName)): it is not a complete file of gzip. Integrate the commit again to have it written anew."
      )
    }
    do throws(ExportError) {
      return try TestMapDocument.map(reading: text, beneath: package)
    } catch {
      throw IntegratingError(.request, "\(folder.path): \(error)")
    }
  }
}

extension StoredIntegration {
  /// The log of one step.
  package struct Log: Sendable, Hashable {
    package var step: Step
    /// The path of the log.
    package var file: String
    /// The size of the log in bytes.
    package var bytes: Int

    /// Returns the logs in the folder of an integration, in the order of the steps.
    static func all(in folder: Folder) -> [Log] {
      Step.allCases.filter { folder.holds($0.logPath) }.map { step in
        Log(step: step, file: folder.file(step.logPath), bytes: folder.size(of: step.logPath))
      }
    }
  }

  /// The logs that are kept, in the order of the steps.
  package var logs: [Log] { Log.all(in: folder) }

  /// Returns what the programs of a step printed; nil if no log of it is kept.
  package func log(of step: Step) -> [UInt8]? { folder.read(step.logPath) }

  /// The first page of the report beside the document; nil if the report is elsewhere.
  package var page: String? { folder.holds("index.html") ? folder.file("index.html") : nil }
}

extension IntegrationRecord {
  /// The destination that it is the result of; nil for a whole integration, and for the destination that leads.
  var cellName: String? { destination.flatMap { $0.leads ? nil : $0.name } }
}

extension Folder {
  /// The folder of a destination's files in that of an integration; the latter without a name.
  func cell(_ destination: String?) -> Folder { destination.map { folder(ReportPaths.cell($0)) } ?? self }
}

extension IssueMemory {
  /// Reads an integration's memory of issues, which is in its document; an earlier Martlet wrote it to `issues.json` in
  /// the integration's folder.
  init(of document: IntegrationRecord, in kept: Folder) {
    if let memory = document.issueMemory {
      self = memory
    } else if var memory = kept.value(IssueMemory.self, in: "issues.json"), memory.schema == Self.schemaName {
      memory.addSubjects()
      memory.addFindings(of: document)
      self = memory
    } else {
      // The issues in the document itself have to suffice.
      self.init(of: document)
    }
  }
}

extension StoredIntegrations {
  /// Returns the first page of the report of a finished integration; nil if there is none.
  package func page(of document: IntegrationRecord) -> String? {
    let report = home.report(document.number, of: document.bot).cell(document.cellName)
    return report.holds("index.html") ? report.file("index.html") : nil
  }
}

/// The logs of an integration that may still be running.
package struct GrowingLog: Sendable {
  package let number: Int
  let folder: Folder

  /// Whether the integration is over or was removed.
  package var isOver: Bool { folder.holds(StoredIntegration.fileName) || !folder.exists }

  /// The logs so far, in the order of the steps.
  package var logs: [StoredIntegration.Log] { StoredIntegration.Log.all(in: folder) }

  /// Returns the bytes of a log from an offset on; none if it cannot be read yet.
  package func bytes(of step: Step, from start: Int = 0) -> [UInt8] {
    folder.piece(of: step.logPath, from: start, bytes: max(0, folder.size(of: step.logPath) - start))
  }
}

extension StoredIntegrations {
  /// Returns the logs of an integration, running or over; nil if there is no such integration.
  ///
  /// - Parameter number: the number of the integration; nil for the newest.
  package func growingLog(of bot: String, _ number: Int?) -> GrowingLog? {
    guard !bot.isEmpty, !bot.contains("/"), !bot.hasPrefix(".") else { return nil }
    guard let number = number ?? home.integrations(of: bot).numbers.max() else { return nil }
    let folder = home.integration(number, of: bot)
    return folder.exists ? GrowingLog(number: number, folder: folder) : nil
  }
}
