// The measured part of script/bench-report: from the counters to a whole report on disk, as an integration does it.
// Arguments: TOOLCHAIN BINARY PROFILES PACKAGE SOURCES DESCRIPTION TEMPLATES OUTPUT [EARLIER]; PROFILES is a folder.
// With SCALE=n, the lines are counted and shown n times over, as those of that many packages.
// `sources PACKAGE DESCRIPTION EXPORT` instead: the sources of an export that get a page, one on a line.
import FoundationEssentials
import Glibc
import Integrating
import Model
import Parsing
import Processes
import Rendering

func bytes(_ path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? [] }

func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func say(_ words: String, since start: Double) {
  print(words, Int((seconds() - start) * 1_000_000))
}

let arguments = CommandLine.arguments
if arguments[1] == "sources" {
  let selection = SourceSelection(try PackageModel.read(bytes(arguments[3])), roots: [arguments[2]])
  for file in try CoverageExport.read(bytes(arguments[4])).files {
    if case .counted = selection.role(of: file.name) { print(file.name) }
  }
  exit(0)
}
let (tools, package, sourceFolder, described) = (arguments[1], arguments[4], arguments[5], arguments[6])
let scale = ProcessInfo.processInfo.environment["SCALE"].flatMap(Int.init) ?? 1
let folder = try Folder(arguments[8]).create()
func command(_ name: String, _ words: [String]) -> Command {
  Command("\(tools)/\(name)", words, environment: ["PATH": tools], workingDirectory: folder.path)
}

var start = seconds()
var totals = CounterTotals()
for name in try FileManager.default.contentsOfDirectory(atPath: arguments[3]) where name.hasSuffix(".profraw") {
  try totals.add(bytes("\(arguments[3])/\(name)"))
}
var programs = MappedPrograms()
try programs.add(image: bytes(arguments[2]))
let export = programs.export(totals)
say("export", since: start)
let selection = SourceSelection(try PackageModel.read(bytes(described)), roots: [package])
start = seconds()
var counting = CoverageExport.CountedFiles(export, selection)
let demangling = try RunningDemangling(
  counting.symbols, folder: folder, file: "symbols", command: command("swift-demangle", ["--simplified"]),
  limits: Limits(wallClock: .seconds(600)), cancellation: Cancellation())
// Their text is not in the report here, so they have no pages: the other tools leave them out, too.
let uncounted = UncountedSources(export, selection)
counting.demangled = try demangling.finish { _ in }
say("names", since: start)
start = seconds()
let counted = counting
let files = try WorkerThreads().map(counted.count * scale) { index in
  var file = counted.coverage(index % counted.count)
  if index >= counted.count { file.path = "Copy\(index / counted.count)/\(file.path)" }
  return file
}
say("count", since: start)
/// A path without the folder of a copy.
func original(_ path: String) -> String {
  path.hasPrefix("Copy") ? path.split(separator: "/").dropFirst().joined(separator: "/") : path
}
let sources = Dictionary(uniqueKeysWithValues: files.map { ($0.path, bytes("\(sourceFolder)/\(original($0.path))")) })
let coverage = Coverage(files: files, profilesRead: 1)

let commit = Commit(
  id: CommitID(rawValue: String(repeating: "1", count: 40)), summary: "One commit", author: "An author",
  date: Date(timeIntervalSince1970: 0))
var integration = Integration(
  bot: "bench", number: arguments.count > 9 ? 2 : 1, repository: package, branch: "main", commit: commit,
  cause: .person, toolchain: "Swift", configuration: "debug", sandbox: "on",
  queuedAt: Date(timeIntervalSince1970: 0), repeatCommand: "martlet run")
integration.outcome = .succeeded
integration.coverage = .available(coverage)
// Changes are written on every page, so that their cost is in the figures.
integration.baseline = Baseline(
  number: 0, commit: commit.id, outcome: .succeeded, tests: TestCounts(), totals: coverage.totals,
  files: Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.totals) }), duration: 0, warnings: 0, states: [:])

start = seconds()
let templates = try ReportTemplates(folder: arguments[7])
let renderer = ReportRenderer(templates: templates.library, assets: templates.assets)
let earlier = arguments.count > 9 ? Folder(arguments[9]) : nil
// As in an integration, except that the keys lie beside the report here.
let known = earlier.flatMap { PageKeys(bytes("\($0.path).keys")) }
let fresh = PageKeys(seed: known?.seed ?? .random, program: PageKeys.runningProgram)
let keys = try ReportWriter(to: folder, sharing: earlier, keys: known).write(
  renderer.parts(of: Report(integration: integration, logs: [], sources: sources)), keys: fresh)
if let keys { _ = FileManager.default.createFile(atPath: "\(folder.path).keys", contents: Data(keys.bytes)) }
say("pages", since: start)
