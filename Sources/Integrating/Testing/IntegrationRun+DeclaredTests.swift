import Model
import Parsing
import Processes

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

  private func sources(of target: PackageModel.Target) -> [TestDeclarations.Source] {
    target.sourcePaths.compactMap { path in
      text(of: path).map { TestDeclarations.Source(module: target.module, path: path, bytes: $0) }
    }
  }
}
