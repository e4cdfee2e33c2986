import Integrating
import Model
import Processes
import Rendering

extension SiteServer {
  /// The folder of an integration that is finished and kept.
  private func folder(_ call: EndpointCall) throws(Problem) -> (folder: UntrustedFolder, document: ServedFile) {
    let bot = try overview(call).name
    let number = call.number("number") ?? 0
    let folder = UntrustedFolder(home.integrations(of: bot).file("\(number)"))
    guard case .file(let file) = folder.open("integration.json") else {
      throw Problem(404, "\(bot) has no finished integration \(number), or it was removed to make room.")
    }
    return (folder, ServedFile(file))
  }

  func document(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    SiteFolder.answer(try folder(call).document, ["integration.json"])
  }

  private func record(_ call: EndpointCall) throws(Problem) -> IntegrationRecord {
    let tag = try folder(call).document.tag
    if let lastDocument, lastDocument.tag == tag { return lastDocument.document }
    let (bot, number) = (call.text("bot"), call.number("number") ?? 0)
    let document = try read { () throws(IntegratingError) in try stored.integration(number, of: bot).document }
    lastDocument = (tag, document)
    return document
  }

  func tests(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let document = try record(call)
    let state = call.optionalText("state").flatMap(TestState.init)
    let sorted = document.tests.cases.filter { state == nil || $0.state == state }
      .map { (name: $0.id.description, test: $0) }.sorted { $0.name < $1.name }
    let rest = sorted.drop { test in call.optionalText("after").map { test.name <= $0 } ?? false }
    let page = rest.prefix(call.number("limit") ?? Endpoints.usualLimit)
    let next = page.count < rest.count ? page.last?.name : nil
    return json(ListAnswer(key: "tests", elements: page.map(\.test), next: next.map { .text($0) }))
  }

  /// What of an integration's folder is for others: not what programs of tests left for Martlet itself.
  private static let (files, folders) = (
    ["integration.json", "coverage.json", "test-map.json.gz"], [logFolder, "attachments", "archive"]
  )
  static let logFolder = "log"

  private func mayReadLog(_ call: EndpointCall) -> Bool { may(.log, call.text("bot"), call.viewer) }

  func files(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let (folder, _) = try folder(call)
    var found: [FileAnswer] = []
    func visit(_ path: String) {
      switch folder.open(path) {
      case .file(let file): found.append(FileAnswer(path: path, bytes: file.length))
      case .folder: for name in folder.names(of: path) { visit("\(path)/\(name)") }
      case .none: break
      }
    }
    let folders = mayReadLog(call) ? Self.folders : Self.folders.filter { $0 != Self.logFolder }
    let cells = folder.names(of: ReportPaths.cells).map { "\(ReportPaths.cells)/\($0)/" }
    for place in [""] + cells { for name in Self.files + folders { visit(place + name) } }
    return json(ListAnswer(key: "files", elements: found, next: nil))
  }

  func file(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    let (folder, _) = try folder(call)
    let path = call.text("path")
    let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let own = SiteFolder.pathInReport(names[...])
    let part = own.first ?? ""
    let isTold = own.count == 1 ? Self.files.contains(part) : Self.folders.contains(part)
    let isPlain = names.allSatisfy { !["", ".", ".."].contains($0) } && !path.utf8.contains(0)
    let isOpen = part != Self.logFolder || mayReadLog(call)
    guard isTold, isPlain, isOpen, case .file(let file) = folder.open(path) else {
      throw Problem(404, "The integration has no such file. Its list of files has those that are kept.")
    }
    return SiteFolder.answer(ServedFile(file), [call.text("bot"), "\(call.number("number") ?? 0)"] + names)
  }
}
