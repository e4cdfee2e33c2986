package import Model

extension ServiceWarning {
  /// The warning for people, as sentences.
  package var sentence: String {
    switch self {
    case .uncontained(let why, let remedy): "The code under test was not contained: \(why.followed(by: remedy))"
    case .secretWithoutValue(let name, let bot):
      "The secret '\(name)' has no value, so scripts run without it. Write \(name)=… into secrets/\(bot).env of the "
        + "configuration folder, or take it out of the bot's 'secrets'."
    case .pointerFiles(let files):
      "Checked out as Git LFS pointers: \(ShortList.text(files, first: 3)). Martlet does not fetch such files; a "
        + "before-trigger can put them in place."
    case .noGitInformation:
      "Package.swift reads Context.gitInformation, which is nil here: the code is built in a folder that is not a git "
        + "repository. A before-trigger can write a file for it with MARTLET_COMMIT."
    case .proxyOutOfReach(let variables):
      "Dependencies cannot be fetched: the proxy in \(variables.joined(separator: " and ")) is on this machine's "
        + "loopback, which package manifests cannot reach. Bind it to another address, and set that in "
        + "\(variables.first ?? "")."
    case .loopbackInReach(let why, let remedy):
      "While the dependencies were fetched, the package's manifests could reach what listens on this machine's "
        + "loopback, because \(why.followed(by: remedy))"
    case .pinsNotFollowed(let departures, let ofWorkTree): Self.pins(departures, ofWorkTree)
    case .filesTouched(let files, let worker): Self.files(files, worker)
    case .auditFailed(let audit): audit.words ?? ""
    case .countersNotKept(let reason, let ofStartedProgram):
      "The counters of a \(ofStartedProgram ? "program that a test started" : "test process") could not be kept: "
        + "\(reason)"
    case .countersNotRead(let file, let reason):
      "The counters in \(file) were not read: \(reason.followed(by: "A test process put the file there."))"
    case .attachmentNotKept(let name, let test, let problem): "An attachment of \(test), '\(name)': \(problem)"
    case .mangledNames(let reason): "Functions of C++ are shown with mangled names: \(reason.withStop)"
    case .originsUnread(let files, let all):
      "\(files) of \(all) sources are shown without authors: finding them took longer than a minute."
    case .testNamesUnread(let pattern, let limit):
      "Test names were not checked: matching the bot's pattern '\(pattern)' took longer than "
        + "\(limit). Avoid nested repetitions in it, such as (a+)+."
    case .nothingToArchive:
      "There is nothing to archive: no product is an executable or a dynamic or static library."
    case .originsUnreadable(let reason), .silencesUnreadable(let reason): reason
    case .noteNotWritten(let reason): "The commit has no note of this integration: \(reason)"
    case .reportNotMade(let reason): "There is no report of this integration: \(reason)"
    }
  }

  /// The maximum number of dependencies that a sentence names.
  private static let mostPins = 5

  private static func pins(_ departures: [PackagePins.Departure], _ ofWorkTree: Bool) -> String {
    let rest = departures.count - mostPins
    let named = departures.prefix(mostPins).map(phrase) + (rest > 0 ? ["and \(rest) more"] : [])
    let owner = ofWorkTree ? "the work tree" : "the commit"
    return "Package.resolved of \(owner) was not followed: \(named.joined(separator: ", "))."
  }

  private static func phrase(_ departure: PackagePins.Departure) -> String {
    let pin = departure.pinned
    guard let used = departure.used else { return "\(pin.identity) \(pin.name ?? pin.words) → not used" }
    // The same name for two commits: a tag was moved, or a branch advanced.
    guard let old = pin.name, let new = used.name, old != new else {
      return "\(pin.identity) \(pin.words) → \(used.words)"
    }
    return "\(pin.identity) \(old) → \(new)"
  }

  private static func files(_ files: TouchedFiles, _ worker: Worker) -> String {
    let parts = [("changed", files.changed), ("removed", files.removed), ("left", files.added)]
      .filter { !$0.1.isEmpty }.map { "\($0.0) \(ShortList.text($0.1, first: 3))" }
    // Of several builds at once, nobody knows which one it was.
    let subject = worker == .build ? "A build" : "The \(worker.rawValue)"
    return "\(subject) \(parts.joined(separator: ", ")) in the package's folder."
  }
}
