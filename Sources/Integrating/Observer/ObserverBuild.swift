import Glibc
import Model
import Processes

/// Makes the observer for a toolchain, once for each home.
struct ObserverBuild: Sendable {
  let toolchain: Toolchain
  /// Where the observers of all toolchains are.
  let folder: Folder
  let environment: [String: String]
  /// The program that builds sandboxes; nil to compile without one.
  let bubblewrap: String?

  /// Changes with the toolchain and with the observer's source.
  private var name: String {
    let source = PackageResources.Preload_c + PackageResources.XCTestObserver_swift
    let parts = [toolchain.programs, toolchain.name, toolchain.stamp ?? "", String(decoding: source, as: UTF8.self)]
    return "observer-\(FileSystemName.fingerprint64(parts.joined(separator: "\u{0}")))"
  }

  /// The observer that was made before; nil when there is none yet.
  var made: Observer? {
    let observer = Observer(folder: folder.file(name))
    return access(observer.preload, R_OK) == 0 && access(observer.xctest, R_OK) == 0 ? observer : nil
  }

  /// Compiles the observer, unless that was done; waits while another process does it.
  func make(cancellation: Cancellation) -> Observation {
    if let made { return .preloaded(made) }
    do {
      let lock = try FileLock.open(folder.create().file("lock"))
      while try !lock.take() {
        if cancellation.wait(atMost: .milliseconds(50)) { return .none(why: "the integration was canceled") }
      }
      if let made { return .preloaded(made) }
      return try compile(cancellation: cancellation)
    } catch {
      return .none(why: "the observer could not be made: \(error)")
    }
  }

  /// Compiles aside and renames into place, so that a half-made observer is never loaded.
  private func compile(cancellation: Cancellation) throws -> Observation {
    let aside = folder.folder("\(name).new")
    try aside.remove()
    try aside.create()
    try aside.create("Preload.c", PackageResources.Preload_c)
    try aside.create("XCTestObserver.swift", PackageResources.XCTestObserver_swift)
    let preload = ["-O2", "-fPIC", "-shared", "Preload.c", "-o", "preload.so", "-ldl", "-lpthread"]
    if let reason = try run("clang", preload, in: aside, cancellation) { return .none(why: reason) }
    let xctest = [
      "-O", "-swift-version", "6", "-parse-as-library", "-emit-library", "-module-name", "MartletObserver",
      "XCTestObserver.swift", "-o", "xctest.so", "-lXCTest", "-module-cache-path", aside.file("modules"),
    ]
    let reason = try run("swiftc", xctest, in: aside, cancellation)
    try aside.folder("modules").remove()
    // The part for XCTest is tried again the next time; the other one serves as it is.
    let place = folder.folder(reason == nil ? name : "\(name).end")
    let observer = Observer(folder: place.path, withoutXCTest: reason)
    if access(observer.preload, R_OK) == 0 { try aside.remove() } else { try aside.rename(to: place) }
    return .preloaded(observer)
  }

  /// Runs a compiler; says why it failed, if it did.
  private func run(_ program: String, _ arguments: [String], in aside: Folder, _ cancellation: Cancellation) throws
    -> String?
  {
    let sandbox = bubblewrap.map {
      Sandbox(bubblewrap: $0, readable: toolchain.folders, writable: [aside.path])
    }
    let command = Command(
      toolchain.program(program), arguments,
      environment: sandbox.map { ChildEnvironment.contained(environment, in: $0) } ?? environment,
      workingDirectory: aside.path
    ).contained(in: sandbox)
    let answer = try command.collect(
      limits: Limits(wallClock: .seconds(120)), cancellation: cancellation, limit: 4 << 20)
    guard !answer.result.succeeded else { return nil }
    let lines = String(decoding: answer.standardError + answer.standardOutput, as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    let words = lines.first { $0.contains("error: ") } ?? lines.first ?? "without a message"
    return "\(program) could not compile the observer: \(words.prefix(300))"
  }
}
