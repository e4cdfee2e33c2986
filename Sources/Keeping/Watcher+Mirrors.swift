import BotFiles
import Git
import Glibc
import Model
import Processes
import Scheduling
import Watching

extension Watcher {
  /// Updates the mirrors for the current bots, and informs clients that wait for a fetch of a dropped one.
  func planMirrors() {
    for mirror in mirrors.plan(Array(registry.bots.values)) {
      let refusal = KeepingError(
        .request, "The bot was removed or changed while \(mirror.address.text) was fetched. Ask again.")
      for waiter in mirror.waiters + mirror.riders where control.isOpen(waiter.connection) {
        control.answer(waiter.connection, ControlAnswer(refusal: refusal))
      }
    }
  }

  /// Handles finished fetches, and starts those that are due.
  func keepMirrors() {
    let now = clock.seconds()
    for (path, mirror) in mirrors.all.sorted(by: { $0.key < $1.key }) {
      guard let running = mirror.running else { continue }
      if let time = mirror.killTime, time <= now { running.kill() }
      guard let end = running.takeEnd() else { continue }
      let lost = end.failure.map { "Cannot fetch \(mirror.address.text): \($0)" }
      settle(path, running.takeAnswer() ?? FetchResult(failure: lost))
    }
    guard !isStopping else { return }
    for path in mirrors.decision(now: now).starting { fetch(path) }
  }

  private func fetch(_ path: String) {
    guard let mirror = mirrors.all[path] else { return }
    do {
      let child = try launcher.fetch(try order(for: mirror, at: path))
      mirrors.start(path, child, now: clock.seconds())
    } catch {
      mirrors.start(path, nil, now: clock.seconds())
      settle(path, FetchResult(failure: "Cannot fetch \(mirror.address.text): \("\(error)".withStop)"))
    }
  }

  private func order(for mirror: Mirrors.Mirror, at path: String) throws -> FetchOrder {
    let modes = mirror.bots.map(\.sandbox.mode)
    let mode: SandboxPolicy.Mode = modes.contains(.on) ? .on : modes.contains(.auto) ? .auto : .off
    var order = FetchOrder(
      address: mirror.address, mirror: path, credentials: mirror.bots.first?.credentials, sandbox: mode)
    if mirror.bots.contains(where: \.asksForChangeRequests) { order.includesChangeRequests = true }
    // A token belongs to a single bot, and so does its mirror.
    if let bot = mirror.bots.first, let name = bot.credentials?.token {
      let file = registry.secretsFile(of: bot.name)
      guard let value = try SecretsFile.read(at: file, user: geteuid())[name] else {
        throw KeepingError(
          .request, "the secret '\(name)' has no value. Write \(name)=… into \(file), with the mode 600.")
      }
      order.token = value
    }
    return order
  }

  /// Handles the end of a fetch.
  private func settle(_ path: String, _ result: FetchResult) {
    guard let old = mirrors.end(path, result, date: clock.now(), now: clock.seconds()) else { return }
    let address = old.address.text
    if let warning = result.warning, warning != old.warning { say("\(address): \(warning)") }
    if let failure = result.failure {
      // Reported once; later failures are in the status.
      if old.trouble == nil { say(failure) }
      worst = max(worst, Outcome.checkoutError.exitCode)
    } else {
      if old.trouble != nil { say("\(address) is fetched again.") }
      watchRepositories()
      _ = watch.takeWord(of: path, now: clock.seconds())
    }
    if old.trouble != result.failure || result.warning != old.warning {
      tasks.change.bots.formUnion(old.bots.map(\.name))
    }
    for rider in old.riders where control.isOpen(rider.connection) {
      if let failure = result.failure {
        control.answer(rider.connection, ControlAnswer(refusal: KeepingError(.request, failure)))
      } else {
        serve(.success(rider.request), on: rider.connection, isFetched: true)
      }
    }
  }

  /// Watches the repositories of all bots, except for mirrors that are still empty.
  func watchRepositories() {
    watch.watch(Set(registry.bots.values.map(\.repository)).filter { !mirrors.isAwaited($0) })
  }

  /// Requests a fetch of a repository that is reported to have moved; returns whether it belongs to any bot.
  func fetchSoon(_ text: String, of bot: String?) -> Bool {
    guard let address = try? RemoteAddress(text) else { return false }
    let meant = mirrors.all.filter { _, mirror in
      mirror.address.isSame(as: address) && (bot == nil || mirror.bots.contains { $0.name == bot })
    }
    for path in meant.keys { mirrors.ask(path) }
    return !meant.isEmpty
  }

  /// Returns whether a bot's repository has to be fetched before a requested commit can be integrated.
  func needsFetch(_ bot: Bot, for commit: String?) -> Bool {
    guard bot.remote != nil else { return false }
    guard let commit, !mirrors.isAwaited(bot.repository) else { return true }
    // A name may have moved; a full commit ID always means the same commit.
    guard commit.count >= 40, commit.allSatisfy(\.isHexDigit) else { return true }
    do {
      _ = try Repository(at: bot.repository).resolve(commit)
      return false
    } catch {
      return true
    }
  }

  /// Returns the name that people use for a repository; for a mirror, its address.
  func shown(_ repository: String) -> String { mirrors.all[repository]?.address.text ?? repository }
}
