import Foundation
import Model
import Parsing
import Testing

/// What the tools of one toolchain said about the packages in `Fixtures/coverage/packages`; see `capture.sh` there.
enum CoverageFixture {
  static let cases = [
    "maximum-zero", "maximum-1-2", "maximum-both", "loop-2-4", "loop-all", "area", "Conditionals", "Greeter",
    "CookieFactory", "Oddities", "Headers",
  ]

  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/coverage/swift-6.3.1")
    return [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  /// A source of one of the packages, by lines.
  static func source(_ path: String) throws -> [[UInt8]] {
    let folder = try #require(Bundle.module.resourceURL).appending(path: "Fixtures/coverage/packages")
    let bytes = [UInt8](try Data(contentsOf: folder.appending(path: path + ".txt")))
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
  }

  static func export(_ name: String) throws -> CoverageExport {
    try CoverageExport.read(try bytes("\(name).json"))
  }

  static func selection(_ package: String) throws -> SourceSelection {
    SourceSelection(try PackageModel.read(try bytes("\(package)-describe.json")), roots: ["/src"])
  }

  static func demangled(_ name: String) throws -> [String: String] {
    let lines = String(decoding: try bytes("\(name)-demangled.txt"), as: UTF8.self).split(separator: "\n")
    return Dictionary(
      uniqueKeysWithValues: stride(from: 0, to: lines.count - 1, by: 2).map {
        (String(lines[$0]), String(lines[$0 + 1]))
      })
  }

  /// The counted files of a case whose package has the same name, with readable names.
  static func files(_ package: String) throws -> [FileCoverage] {
    try export(package).countedFiles(try selection(package), demangled: try demangled(package))
  }

  static func file(_ name: String, in files: [FileCoverage]) throws -> FileCoverage {
    try #require(files.first { $0.path.hasSuffix(name) })
  }
}

/// The line records of an LCOV tracefile, by file.
func lineRecords(_ bytes: [UInt8]) -> [String: [String]] {
  var file = ""
  var records: [String: [String]] = [:]
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
    if line.hasPrefix("SF:") { file = String(line.dropFirst(3)) }
    if line.hasPrefix("DA:") { records[file, default: []].append(String(line.dropFirst(3))) }
  }
  return records
}

/// An export of one file, `/src/a.swift`, in the words of llvm-cov.
func exportText(segments: String, functions: String = "[]", version: String = "3.0.1") -> [UInt8] {
  let file = #"{"filename":"/src/a.swift","segments":\#(segments),"summary":{"lines":{"count":1,"covered":1}}}"#
  let data = #"{"files":[\#(file)],"functions":\#(functions),"totals":{}}"#
  return Array(#"{"data":[\#(data)],"type":"llvm.coverage.json.export","version":"\#(version)"}"#.utf8)
}

/// A function of that file, as one of the records of `exportedFunctions`.
func functionRecord(_ name: String, _ count: Int, _ regions: String) -> String {
  #"{"name":"\#(name)","count":\#(count),"filenames":["/src/a.swift"],"regions":[\#(regions)]}"#
}

/// What is made of the records of functions in such an export.
func exportedFunctions(_ records: String, demangled: [String: String]) throws -> [FunctionCoverage] {
  let export = try CoverageExport.read(exportText(segments: "[]", functions: records))
  let target = PackageModel.Target(name: "A", type: "library", path: ".", sources: ["a.swift"])
  let selection = SourceSelection(PackageModel(name: "P", targets: [target]), roots: ["/src"])
  return try #require(export.countedFiles(selection, demangled: demangled).first).functions
}

extension CoverageExport {
  /// All counted files at once, sorted by path.
  func countedFiles(_ selection: SourceSelection, demangled: [String: String] = [:]) -> [FileCoverage] {
    let counted = CountedFiles(self, selection, demangled: demangled)
    return (0..<counted.count).map(counted.coverage).sorted { $0.path < $1.path }
  }
}
