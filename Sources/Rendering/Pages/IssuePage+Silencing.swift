import Model

/// How the issue is kept from counting, or counted again.
extension IssuePage {
  /// The command for it; nil for what is over or was not checked, and where no command does it.
  var silencing: String? {
    let bot = issue.silence?.bot ?? integration.bot
    if issue.status == .silenced { return countsByFile ? nil : "martlet unsilence \(issue.id) --bot \(bot)" }
    guard issue.kind.canBeSilenced, isCounted else { return nil }
    return "martlet silence \(issue.id) --bot \(bot) --reason \"…\""
  }

  /// Why no command does it; nil where one does.
  var unsilenceable: String? {
    if countsByFile { return QuarantineWords.takeOut(of: integration.botFile) }
    return isCounted ? IssueWords.alwaysCounts(issue.kind) : nil
  }

  /// Whether the bot's file keeps it from counting.
  private var countsByFile: Bool { issue.status == .silenced && issue.silence?.isQuarantine == true }

  private var isCounted: Bool { !issue.status.isOver && !issue.isUnchecked }
}
