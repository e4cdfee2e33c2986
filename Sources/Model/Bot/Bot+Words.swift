extension Bot {
  /// What the bot is set to, as pages and lists show it.
  package var words: [WatchState.Setting] {
    var settings = [
      WatchState.Setting("Repository", repository),
      WatchState.Setting(
        "Branches", branches.isEmpty ? "the one that HEAD points to" : branches.joined(separator: ", ")),
    ]
    func add(_ label: String, _ words: String?) {
      if let words { settings.append(WatchState.Setting(label, words)) }
    }
    add("Package", package == "." ? nil : package)
    add("Tags", tags.isEmpty ? nil : tags.joined(separator: ", "))
    let also = schedule.alsoWhenToolchainChanges ? ", and when the toolchain changes" : ""
    add("Schedule", schedule.words + also)
    add("Commits", commits == .latest ? "the newest of several" : "each, in order")
    add("Actions", actions.map(\.rawValue).joined(separator: ", "))
    add("Clean", clean.rawValue)
    add("Configuration", configuration)
    add("Toolchain", toolchain)
    add("Sanitizers", sanitize.isEmpty ? nil : sanitize.map(\.rawValue).joined(separator: ", "))
    add("Retries", tests.retries > 0 ? "\(tests.retries)" : nil)
    add("Gates", coverage.gates.isEmpty ? nil : coverage.gates.map(\.rule).joined(separator: ", "))
    add("Sandbox", sandbox.mode.rawValue + (sandbox.network ? ", with the network" : "") + sandbox.allowance)
    add("Submodules", submodules.allow.isEmpty ? nil : "also from \(submodules.allow.joined(separator: ", "))")
    add("Kept", "\(keep.integrations) integrations, \(keep.days) days")
    return settings
  }
}
