import FoundationEssentials
import Git
import Glibc
import Model
package import Processes

extension MachineRun {
  /// Asks the process that carries an integration out to end it.
  package func cancel(_ id: String) throws {
    let folder = try handed(id).folder
    if folder.exists { try folder.write([], to: HandoverFolder.canceled) }
  }

  /// Prints the files of a result of which the paths are on standard input.
  package func fetch(_ id: String, write: ([UInt8]) throws -> Void) throws {
    let handed = try handed(id)
    guard let bytes = handed.folder.read(HandoverFolder.manifest) else {
      throw IntegratingError(.request, "there is no result of \(id).")
    }
    let manifest = try JSONDecoder().decode(ResultManifest.self, from: Data(bytes))
    let number = "\(manifest.number)"
    let folders = [
      "kept": home.integrations(of: manifest.bot).folder(number), "report": home.site(of: manifest.bot).folder(number),
      "outbox": Folder(handed.outbox),
    ]
    let files = Dictionary(manifest.files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    var list: [UInt8] = []
    try Self.readInput { list += $0 }
    for path in try JSONDecoder().decode([String].self, from: Data(list)) {
      guard let file = files[path], let slash = path.firstIndex(of: "/"), let folder = folders[String(path[..<slash])]
      else { throw IntegratingError(.request, "the result of \(id) has no such file.") }
      try FileStream.write(
        path, from: folder.file(String(path[path.index(after: slash)...])), isExecutable: file.isExecutable, to: write)
    }
    try FileStream.writeEnd(to: write)
  }

  /// Removes what was kept for a result that was taken in; how the home knows its files is on standard input.
  package func release(_ id: String) throws {
    let handed = try handed(id)
    var list: [UInt8] = []
    try Self.readInput { list += $0 }
    let files = try JSONDecoder().decode([PastFile].self, from: Data(list))
    guard handed.folder.exists else { return }
    if let bytes = handed.folder.read(HandoverFolder.manifest),
      let manifest = try? JSONDecoder().decode(ResultManifest.self, from: Data(bytes)), manifest.id == id
    {
      try PastCopy(home: home, bot: manifest.bot).add(files, of: manifest.number)
    }
    try handed.folder.takeAway()
  }

  /// Ends an integration that nobody wants any more, and removes what is left of it.
  package func drop(_ id: String) throws {
    let handed = try handed(id)
    guard handed.folder.exists else { return }
    // Without it, the process cannot begin any more; one that is beginning is found by its claim.
    let isBegun = handed.folder.holds(HandoverFolder.started)
    if isBegun { try end(handed) }
    try handed.folder.takeAway()
  }

  /// How often it is looked whether a process has ended, twenty milliseconds apart.
  private static let patience = 250

  private func end(_ handed: HandoverFolder) throws {
    for round in 0..<Self.patience {
      guard isHeld(handed) else { return }
      if round % 50 == 0, let bytes = handed.folder.read(HandoverFolder.process),
        let process = pid_t(String(decoding: bytes, as: UTF8.self).filter(\.isNumber)), process > 1
      {
        // It is the one that holds the claim. All that it runs ends with it.
        kill(process, SIGKILL)
      }
      usleep(20_000)
    }
    throw IntegratingError(.service, "the process of \(handed.folder.path) cannot be ended.")
  }
}

extension MachineRun {
  /// What integrations cannot do without.
  private static let needed = ["Swift", "git", "sandbox", "home", "disk"]

  /// Looks at this machine, and ends what nobody wants any more.
  package func look(dropping ids: [String], searchPath: String, cancellation: Cancellation) throws -> String {
    try home.requirePrivate()
    try home.prepare()
    var report = MachineReport(date: Date())
    for id in ids {
      try drop(id)
      report.dropped.append(id)
    }
    removeOld()
    let findings = MachineCheck(home: home, searchPath: searchPath, cancellation: cancellation).findings
    if let lacking = findings.first(where: { !$0.isThere && Self.needed.contains($0.name) }) {
      report.trouble = "\(lacking.name): \(lacking.words)".withStop
    }
    // The check has found it, or says why not.
    report.toolchain =
      (try? Toolchain.locate(
        searchPath: searchPath, memory: home.folder.folder("toolchains"), cancellation: cancellation))?
      .name
    report.free = DiskRoom.free(at: home.folder.path)
    report.cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    var names = utsname()
    if uname(&names) == 0 {
      report.architecture = withUnsafeBytes(of: &names.machine) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
    return String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
  }

  /// Removes orders that were never begun, and remains of those that did not arrive, after a day.
  private func removeOld() {
    let all = HandoverFolder.all(in: home)
    for name in all.names() {
      var status = stat()
      guard lstat(all.file(name), &status) == 0, time(nil) - status.st_mtim.tv_sec > 86_400,
        !all.folder(name).holds(HandoverFolder.started)
      else { continue }
      try? all.folder(name).remove()  // It only takes space; the next look tries again.
    }
  }
}
