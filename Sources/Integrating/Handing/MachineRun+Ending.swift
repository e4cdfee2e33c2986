import FoundationEssentials
import Git
import Glibc
package import Model
package import Processes

extension MachineRun {
  /// Asks the process that carries an integration out to end it.
  package func cancel(_ id: String) throws {
    let folder = try handed(id).folder
    if folder.exists { try folder.write([], to: HandoverFolder.canceled) }
  }

  /// Writes files of a result as a stream.
  func fetch(_ id: String, _ paths: [String], write: ([UInt8]) throws -> Void) throws {
    let handed = try handed(id)
    guard let bytes = handed.folder.read(HandoverFolder.manifest) else {
      throw IntegratingError(.request, "there is no result of \(id).")
    }
    let manifest = try JSONDecoder().decode(ResultManifest.self, from: Data(bytes))
    let folders = [
      "kept": home.integration(manifest.number, of: manifest.bot),
      "report": home.report(manifest.number, of: manifest.bot), "outbox": Folder(handed.outbox),
    ]
    let files = Dictionary(manifest.files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    for path in paths {
      guard let file = files[path], let slash = path.firstIndex(of: "/"), let folder = folders[String(path[..<slash])]
      else { throw IntegratingError(.request, "the result of \(id) has no such file.") }
      try FileStream.write(
        path, from: folder.file(String(path[path.index(after: slash)...])), isExecutable: file.isExecutable, to: write)
    }
    try FileStream.writeEnd(to: write)
  }

  /// Removes what was kept for a result that was taken in.
  ///
  /// - Parameter files: how the home knows its files.
  func release(_ id: String, _ files: [PastFile]) throws {
    let handed = try handed(id)
    guard handed.folder.exists else { return }
    if let manifest = handed.folder.value(ResultManifest.self, in: HandoverFolder.manifest), manifest.id == id {
      try PastCopy(home: home, bot: manifest.bot).add(files, of: manifest.number)
    }
    try handed.folder.takeAway()
  }

  /// Ends an integration that nobody wants any more, and removes what is left of it.
  ///
  /// - Returns: Whether nothing is left.
  @discardableResult
  package func drop(_ id: String) throws -> Bool {
    let handed = try handed(id)
    guard try engine.end(handed) else { return false }
    if handed.folder.exists { try handed.folder.takeAway() }
    return true
  }
}

extension MachineRun {
  /// What integrations cannot do without.
  private static let needed: Set<MachineCheck.Subject> = [.toolchain, .git, .sandbox, .home, .disk]
  private static let neededToSubmit: Set<MachineCheck.Subject> = [.home, .disk]

  /// Looks at this machine, and ends what nobody wants any more.
  package func look(dropping ids: [String], searchPath: String, cancellation: Cancellation) throws -> String {
    try home.requirePrivate()
    try home.prepare()
    var report = MachineReport(date: Date())
    for id in ids where try drop(id) { report.dropped.append(id) }
    removeOld()
    report.free = DiskLimit.free(at: home.folder.path)
    report.trouble = engine.trouble
    if report.trouble == nil { report.trouble = trouble(searchPath: searchPath, cancellation: cancellation) }
    if engine.runsHere { describe(searchPath: searchPath, cancellation: cancellation, in: &report) }
    return String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
  }

  /// Returns why nothing can be carried out here, as a sentence; nil if it can.
  private func trouble(searchPath: String, cancellation: Cancellation) -> String? {
    let needed = engine.runsHere ? Self.needed : Self.neededToSubmit
    let check = MachineCheck(of: needed, home: home, searchPath: searchPath, cancellation: cancellation)
    guard let lacking = check.findings.first(where: { !$0.isThere }) else { return nil }
    return "\(lacking.name): \(lacking.words)".withStop
  }

  /// Returns why an order cannot be carried out on this node, as a sentence; nil if it can. Nodes may differ, and are
  /// only known once a job begins on them.
  package func trouble(
    ofNodeFor order: IntegrationOrder, searchPath: String, cancellation: Cancellation
  ) -> String? {
    let node = Self.name
    if let trouble = trouble(searchPath: searchPath, cancellation: cancellation) { return "\(node) lacks \(trouble)" }
    guard let wanted = order.origin?.toolchain,
      let own = try? home.toolchain(searchPath: searchPath, cancellation: cancellation), own.name != wanted
    else { return nil }
    return "The toolchain of \(node) is \(own.name), and that of the machine that watches is \(wanted)."
  }

  private func describe(searchPath: String, cancellation: Cancellation, in report: inout MachineReport) {
    // The check has found it, or says why not.
    report.toolchain = try? home.toolchain(searchPath: searchPath, cancellation: cancellation).name
    report.cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    var names = utsname()
    if uname(&names) == 0 { report.architecture = Self.text(names.machine) }
  }

  /// The name of this machine among its like.
  private static var name: String {
    var names = utsname()
    return uname(&names) == 0 ? text(names.nodename) : "this node"
  }

  private static func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Removes orders that were never begun, and remains of those that did not arrive, after a day.
  private func removeOld() {
    let all = HandoverFolder.all(in: home)
    for name in all.names() {
      guard let status = stat(all.file(name)), time(nil) - status.st_mtim.tv_sec > 86_400,
        !all.folder(name).holds(HandoverFolder.started), !all.folder(name).holds(SlurmEngine.job)
      else { continue }
      try? all.folder(name).remove()  // It only takes space; the next look tries again.
    }
  }
}
