import BotFiles
import FoundationEssentials
import Git
import Glibc
import Integrating
import Keeping
import Model
import Scheduling

/// The check whether the things that a bot's file names exist.
struct OutsideCheck {
  let bot: Bot
  /// The contents of the bot's file, for locating problems.
  let bytes: [UInt8]
  /// The file's path as shown in messages.
  let file: String
  let configuration: Configuration
  let settings: ServerSettings
  /// Whether martlet.yml is right, so that all machines are known.
  let knowsMachines: Bool
  /// Whether an ssh agent with keys is available.
  let hasAgent: Bool
  /// Problems that keep the bot from working, and warnings about probable mistakes.
  private(set) var findings: [FileProblem] = []
  /// The number of findings that are not warnings.
  private(set) var failures = 0

  /// - Parameter webhookShapes: The names allowed for a webhook's `template`.
  mutating func run(webhookShapes: [String]) {
    checkRepository()
    if let credentials = bot.dependencyCredentials { check(credentials, at: "dependency-credentials") }
    checkToolchain()
    checkTimeZone()
    checkLabels()
    checkScripts()
    checkQuarantine()
    checkSecrets()
    checkMail()
    checkSuspects()
    checkCertificates()
    checkShapes(webhookShapes)
    var named = [
      (["sandbox", "read"], bot.sandbox.read), (["sandbox", "write"], bot.sandbox.write),
      (["submodules", "allow"], bot.submodules.allow),
    ]
    for (index, trigger) in bot.triggers.enumerated() {
      if case .script(let script) = trigger { named.append((["triggers", "\(index)", "write"], script.write)) }
    }
    for (place, paths) in named {
      for (index, path) in paths.enumerated() where access(path, F_OK) != 0 {
        warn(place + ["\(index)"], "there is no \(path)")
      }
    }
    findings.sort { ($0.place?.line ?? 0, $0.place?.column ?? 0) < ($1.place?.line ?? 0, $1.place?.column ?? 0) }
  }

  private mutating func checkRepository() {
    guard bot.remote == nil else { return checkCredentials() }
    do {
      let repository = try Repository(at: bot.repository)
      let names = try repository.branchNames()
      for (index, glob) in bot.branches.enumerated()
      where !RefName.isForChangeRequests(glob) && !names.contains(where: { Glob(glob).matches($0) }) {
        warn(["branches", "\(index)"], "'\(glob)' matches no branch of the repository")
      }
      if !bot.paths.isEmpty { try checkPaths(in: repository) }
      if let absence = try PackageAbsence.of(bot) { fail(["package"], absence.message) }
    } catch {
      fail(["repository"], error.description)
    }
  }

  /// Warns of paths that no file of the default branch has.
  private mutating func checkPaths(in repository: borrowing Repository) throws(GitError) {
    let tips = try repository.tips(withTags: false)
    guard let branch = KnownBranches(tips, asked: bot.branches).preferred,
      let commit = tips.refs[RefName(branch: branch)]
    else { return }
    let files = try repository.entries(of: commit).map(\.path)
    for (index, pattern) in bot.paths.enumerated() {
      let glob = Glob(pattern)
      // A submodule stands for the files beneath it.
      guard !files.contains(where: { glob.matches(path: $0) || pattern.hasPrefix("\($0)/") }) else { continue }
      warn(["paths", "\(index)"], "'\(pattern)' matches no file of \(branch)")
    }
  }

  private mutating func checkQuarantine() {
    for (index, entry) in bot.quarantine.enumerated() {
      guard let day = LastDay(entry.lastDay), day.end <= Date() else { continue }
      warn(["quarantine", "\(index)", "until"], "this day is past, so that \(entry.test) counts again")
    }
  }

  /// Checks what can be checked about credentials without the network.
  private mutating func checkCredentials() {
    if bot.notes {
      warn(["notes"], "notes are written into the mirror of Martlet's own, where nobody reads them")
    }
    if let credentials = bot.credentials { check(credentials, at: "credentials") }
  }

  private mutating func check(_ credentials: Credentials, at field: String) {
    if let problem = MirrorFetch.problem(of: credentials) {
      fail([field, credentials.sshKey == nil ? "known-hosts" : "ssh-key"], problem)
    }
    if credentials.sshAgent, !hasAgent {
      warn([field, "ssh-agent"], "there is no agent here; the watcher needs SSH_AUTH_SOCK")
    }
  }

  private mutating func checkToolchain() {
    guard let toolchain = bot.toolchain else { return }
    let folders = ["\(toolchain)/usr/bin", "\(toolchain)/bin", toolchain]
    if !folders.contains(where: { access("\($0)/swift", X_OK) == 0 }) {
      fail(["toolchain"], "there is no toolchain in \(toolchain); expected usr/bin/swift in it")
    }
  }

  private mutating func checkLabels() {
    let machines = [[MachineSettings.ownName]] + settings.machines.map { $0.allLabels.sorted() }
    guard knowsMachines, !bot.labels.isEmpty, !machines.contains(where: { Set($0).isSuperset(of: bot.labels) }) else {
      return
    }
    let what = bot.labels.count == 1 ? "the label '\(bot.labels[0])'" : "all of these labels"
    let known = Set(machines.joined()).sorted()
    fail(["where"], "no machine has \(what); the labels are \(CountText.list(known))")
  }

  private mutating func checkTimeZone() {
    let folder = "/usr/share/zoneinfo"
    guard let zone = bot.schedule.timeZone, access(folder, F_OK) == 0 else { return }
    if access("\(folder)/\(zone)", F_OK) != 0 {
      fail(["schedule", "time-zone"], "this machine knows no time zone '\(zone)'; see 'timedatectl list-timezones'")
    }
  }

  private mutating func checkScripts() {
    for (index, trigger) in bot.triggers.enumerated() {
      guard case .script(let script) = trigger, case .botFile(let path) = script.source else { continue }
      let place = ["triggers", "\(index)", script.moment.rawValue, "beside"]
      if access(path, F_OK) != 0 {
        fail(place, "there is no \(path)")
      } else if let reason = TriggerScript.problem(atPath: path) {
        fail(place, "\(path) cannot be run: \(reason)")
      }
    }
  }

  private mutating func checkMail() {
    for (index, trigger) in bot.triggers.enumerated() where settings.mail == nil {
      guard case .mail = trigger else { continue }
      fail(
        ["triggers", "\(index)", "mail"], "no mail is sent, because martlet.yml has no valid 'mail', which says how")
    }
  }

  private mutating func checkSuspects() {
    for (index, trigger) in bot.triggers.enumerated() where settings.people.isEmpty {
      guard case .mail(let mail) = trigger, mail.suspects, mail.allowedDomains.isEmpty else { continue }
      warn(
        ["triggers", "\(index)", "mail", "suspects"],
        "no suspect gets mail; name people under 'people' in martlet.yml, or domains in 'allowed-domains'")
    }
  }

  private mutating func checkCertificates() {
    for (index, trigger) in bot.triggers.enumerated() {
      guard case .webhook(let webhook) = trigger, let path = webhook.authorities,
        let fault = CertificateFile.fault(at: path)
      else { continue }
      fail(["triggers", "\(index)", "webhook", "ca"], fault)
    }
  }

  /// Checks template names, with mere warnings because the watcher may be started with other templates.
  private mutating func checkShapes(_ shapes: [String]) {
    for (index, trigger) in bot.triggers.enumerated() {
      guard case .webhook(let webhook) = trigger, let shape = webhook.template, !shapes.contains(shape) else {
        continue
      }
      warn(
        ["triggers", "\(index)", "webhook", "template"],
        "there is no template webhook/\(shape).json; there is one for each of \(shapes.joined(separator: ", "))")
    }
  }

  private mutating func checkSecrets() {
    var wanted = bot.secrets.enumerated().map { (["secrets", "\($0)"], $1) }
    for (index, trigger) in bot.triggers.enumerated() {
      guard case .webhook(let webhook) = trigger, let secret = webhook.secret else { continue }
      wanted.append((["triggers", "\(index)", "webhook", "secret"], secret))
    }
    if let token = bot.credentials?.token { wanted.append((["credentials", "token"], token)) }
    if let token = bot.status?.token { wanted.append((["status", "token"], token)) }
    if let secret = bot.hookSecret { wanted.append((["hook-secret"], secret)) }
    let path = configuration.secretsFile(of: bot.name)
    do throws(BotFileError) {
      let secrets = try SecretsFile.read(at: path, user: geteuid())
      for (place, name) in wanted where secrets[name] == nil {
        fail(place, "the secret '\(name)' has no value; write \(name)=… into \(path), with the mode 600")
      }
    } catch {
      findings += error.problems
      failures += error.problems.count
    }
  }

  private mutating func fail(_ path: [String], _ message: String) {
    note(path, message)
    failures += 1
  }

  private mutating func warn(_ path: [String], _ message: String) { note(path, "warning: \(message)") }

  private mutating func note(_ path: [String], _ message: String) {
    let withoutStop = message.hasSuffix(".") ? String(message.dropLast()) : message
    findings.append(FileProblem(file: file, place: BotFile.place(of: path, in: bytes), message: withoutStop))
  }
}
