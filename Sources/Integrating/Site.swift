import FoundationEssentials
import Model
package import Rendering

/// The pages above the reports, made of what the home holds: histories, reports, and what a watcher last said.
///
/// A page is written only where its bytes changed, aside and then renamed, so that several processes may publish at
/// once and a reader never sees half a page.
package struct Site: Sendable {
  private let home: Home
  private let pages: SitePages
  private let folder: Folder

  package init(home: Home, templates: ReportTemplates, time: LocalTime) {
    self.home = home
    pages = SitePages(templates: templates, time: time)
    folder = home.folder.folder("site")
  }

  /// Writes the index of bots and the pages of the bots that changed.
  ///
  /// - Parameter bots: names; nil for all.
  package func publish(_ bots: [String]?) throws(IntegratingError) {
    let state = state()
    do {
      try folder.create()
      for file in pages.files { try write(file.bytes, to: file.name, in: folder) }
      let names = names(state)
      for name in bots ?? names where names.contains(name) {
        let place = try folder.folder(name).create()
        for page in try pages.pages(of: history(of: name, state, limit: nil), asOf: state) {
          try write(page.bytes, to: page.path, in: place)
        }
      }
      let overview = names.map { history(of: $0, state, limit: BotHistory.overviewLength) }
      try write(try pages.index(overview, state: state), to: "index.html", in: folder)
    } catch {
      throw error as? IntegratingError
        ?? IntegratingError(.service, "\(error)\nOnly the site's index pages are not up to date.")
    }
  }

  /// What the watcher does, as it last wrote it; nil where no watcher has written one, or one that this Martlet cannot read.
  private func state() -> WatchState? {
    guard let bytes = home.folder.read(WatchState.fileName) else { return nil }
    return try? JSONDecoder().decode(WatchState.self, from: Data(bytes))
  }

  /// Every bot with a history, and every one that a watcher knows.
  private func names(_ state: WatchState?) -> [String] {
    let integrations = home.folder.folder("integrations")
    let known = integrations.names().filter { integrations.folder($0).holds(History.fileName) }
    return Set(known).union(state?.bots.map(\.name) ?? []).sorted()
  }

  private func history(of name: String, _ state: WatchState?, limit: Int?) -> BotHistory {
    let entries = History(in: home.integrations(of: name)).newest(limit)
    let reports = folder.folder(name)
    var history = BotHistory(
      name: name, entries: entries,
      withReport: Set(entries.map(\.number).filter { reports.holds("\($0)/index.html") }),
      state: state?.bots.first { $0.name == name }, running: state?.running.filter { $0.bot == name } ?? [],
      waiting: state?.waiting.filter { $0.bot == name } ?? [])
    history.withComparison = Set(
      entries.filter { $0.baseline != nil }.map(\.number).filter { reports.holds("\($0)/compare.html") })
    return history
  }

  private func write(_ bytes: [UInt8], to name: String, in folder: Folder) throws(IntegratingError) {
    guard folder.read(name) != bytes else { return }
    try folder.write(bytes, to: name)
  }
}
