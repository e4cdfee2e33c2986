import Glibc
import Model
import Parsing
import Processes

/// Asks the index that the compiler wrote beside its object files which tests it saw.
///
/// The index is made by untrusted code, so it is read by a contained program.
struct DeclaredTestsReader: Sendable {
  /// The time limit, longer than the index of any package takes.
  private static let longest = Duration.seconds(60)

  /// The program of `DeclaredTests.c`, contained, with the index's library and folder as its arguments.
  let command: Command
  let paths: PackagePaths
  /// The folder for the names of the object files while they are read.
  let folder: Folder
  let cancellation: Cancellation

  /// Returns the library that reads indexes, which is part of a toolchain.
  static func library(of toolchain: Toolchain) -> String { "\(toolchain.programs)/../lib/libIndexStore.so" }

  /// Reads the declarations in some object files; all of them are unknown if there is no index or no program.
  func read(_ objects: [String]) -> DeclaredTests {
    let unread = DeclaredTests(unknownObjects: objects)
    guard !objects.isEmpty else { return DeclaredTests() }
    let name = "object-files"
    do {
      try folder.create().write(Array(objects.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")], to: name)
      defer { unlink(folder.file(name)) }
      var command = command
      command.standardInput = folder.file(name)
      let answer = try command.collect(
        limits: Limits(wallClock: Self.longest), cancellation: cancellation, limit: 256 << 20)
      guard answer.result.succeeded else { return unread }
      return DeclaredTests(answer.standardOutput, relativise: paths.relative)
    } catch {
      // Without the index, the sources themselves have to suffice.
      return unread
    }
  }
}

extension IntegrationRun {
  /// Starts to read which tests are declared, while the tests run.
  func askForDeclaredTests(
    _ observation: Observation, _ products: BuildProducts, _ model: Worker<PackageModel>
  ) throws(IntegrationStop) -> Worker<DeclaredTests> {
    let reader = observation.observer.map { declaredTestsReader(with: $0, index: products.index) }
    return try stopping {
      try Worker {
        let modules = try model.join().targets.filter(\.isTest).map(\.module)
        let objects = modules.flatMap { products.objects[$0] ?? [] }
        return reader?.read(objects) ?? DeclaredTests(unknownObjects: objects)
      }
    }
  }

  private func declaredTestsReader(with observer: Observer, index: String) -> DeclaredTestsReader {
    var sandbox = sandbox(for: .measuring)
    sandbox?.readable.append(observer.folder)
    let folder = kept.folder("coverage")
    let command = Command(
      observer.declaredTests, [DeclaredTestsReader.library(of: toolchain), index],
      environment: environment(for: .measuring), workingDirectory: folder.path
    ).contained(in: sandbox)
    return DeclaredTestsReader(
      command: command, paths: paths, folder: folder, cancellation: integrator.cancellation)
  }

  /// Returns the tests that the sources declare and no list contains.
  ///
  /// If the index does not know what was compiled for a target, for example because it was not built, its sources are
  /// read: then, only tests under no condition count.
  func unlistedTests(
    _ declared: DeclaredTests, _ listings: [TestSession.Listing], of model: PackageModel, _ products: BuildProducts
  ) -> [UnlistedTest] {
    let targets = model.targets.filter(\.isTest)
    let built = products.objects
    let unknown = Set(declared.unknownObjects)
    let listed = listings.flatMap { $0.xctest + $0.swiftTesting }
    let places = listings.reduce(into: [:]) { $0.merge($1.places) { first, _ in first } }
    let isHandWritten = ownMain == "Tests/LinuxMain.swift"
    return targets.flatMap { target -> [UnlistedTest] in
      let objects = built[target.module]
      let isKnown = objects.map { unknown.isDisjoint(with: $0) } ?? false
      let own = isKnown ? declared.only(target.module) : DeclaredTests(scanning: sources(of: target))
      return own.missing(from: listed, places: places).map { test in
        let cause: UnlistedTest.Cause = objects == nil ? .notBuilt : isHandWritten ? .handWrittenList : .notListed
        return UnlistedTest(name: test.words, cause: cause, file: test.location.file, line: test.location.line)
      }
    }
    .sorted { ($0.file, $0.line) < ($1.file, $1.line) }
  }

  /// Returns the functions in the package's test targets that look like tests but are none.
  func neverRunMethods(in sources: [TestDeclarations.Source], beside run: TestRun) -> [NeverRunMethod] {
    let tests = run.report.results.map(\.id) + run.filteredOut
    let names = Set(tests.map { "\($0.module).\($0.suite)/\($0.name)" })
    return NeverRunMethods.find(in: sources).filter { !names.contains("\($0.target).\($0.name)") }
  }

  private func sources(of target: PackageModel.Target) -> [TestDeclarations.Source] {
    target.sourcePaths.compactMap { path in
      text(of: path).map { TestDeclarations.Source(module: target.module, path: path, bytes: $0) }
    }
  }
}
