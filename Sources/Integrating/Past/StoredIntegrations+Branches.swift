import Model

extension StoredIntegrations {
  /// The newest finished integration of a branch; nil where none is kept.
  package func newest(of bot: String, on branch: String) throws(IntegratingError) -> StoredIntegration? {
    let lines = Dictionary(
      History(in: home.integrations(of: bot)).newest().map { ($0.number, $0.branch) },
      uniquingKeysWith: { one, _ in one })
    for number in numbers(of: bot).reversed() {
      if let known = lines[number], known != branch { continue }
      let stored = try integration(number, of: bot)
      if stored.document.branch == branch { return stored }
    }
    return nil
  }

  /// The integration that decides how a bot stands: the newest of its default branch. Nil for a bot without a history.
  package func decisive(of bot: String) throws(IntegratingError) -> StoredIntegration? {
    let state = home.watchState?.bots.first { $0.name == bot }
    let history = History(in: home.integrations(of: bot))
    let known = home.branches(of: bot, in: state?.repository, asked: state?.branches)
    let (lines, states) = BranchStates.read(of: known, atFirst: 100) { history.newest($0) }
    guard !lines.isEmpty else { return nil }
    let place = states.main.branch.map { " on \($0)" } ?? ""
    guard let told = states.main.told else {
      throw IntegratingError(
        .request, "\(bot) has no result\(place) yet. Name another branch with --branch, or an integration as BOT/N.")
    }
    guard numbers(of: bot).contains(told.number) else {
      throw IntegratingError(
        .request,
        "\(bot)/\(told.number), the newest result\(place), is no longer kept. Integrate the branch again, or name another with --branch."
      )
    }
    return try integration(told.number, of: bot)
  }
}
