import Glibc
import Model
import Processes

/// A build of the observer for a toolchain, made once for each home.
struct ObserverBuild: Sendable {
  let workshop: ToolchainWorkshop
  private var folder: Folder { workshop.folder }

  /// The sources, by name.
  private static var sources: [String: [UInt8]] {
    [
      "ProcessObserver.c": PackageResources.ProcessObserver_c, "Counters.h": PackageResources.Counters_h,
      "Images.h": PackageResources.Images_h, "Mutants.h": PackageResources.Mutants_h,
      "Records.h": PackageResources.Records_h,
      "Started.h": PackageResources.Started_h, "System.h": PackageResources.System_h,
      "Values.h": PackageResources.Values_h,
      "XCTestObserver.swift": PackageResources.XCTestObserver_swift,
      "DeclaredTests.c": PackageResources.DeclaredTests_c,
    ]
  }

  /// The name of the observer's folder, which changes with the toolchain and with the sources.
  private var name: String {
    let sources = Self.sources.sorted { $0.key < $1.key }.map { String(decoding: $0.value, as: UTF8.self) }
    let toolchain = workshop.toolchain
    let parts = [toolchain.programs, toolchain.name, toolchain.stamp] + sources
    return "observer-\(FileSystemName.fingerprint64(parts.joined(separator: "\u{0}")))"
  }

  /// The observer that was made before; nil if there is none yet.
  var made: Observer? {
    let observer = Observer(folder: folder.file(name))
    let parts = [observer.process, observer.declaredTests, observer.xctest]
    return parts.allSatisfy { access($0, R_OK) == 0 } ? observer : nil
  }

  /// Compiles the observer unless that was done; waits while another process does it.
  func make() -> Observation {
    if let made { return .preloaded(made) }
    do {
      let observation: Observation? = try workshop.alone("lock") {
        if let made { .preloaded(made) } else { try compile() }
      }
      return observation ?? .none(why: "the integration was canceled")
    } catch {
      return .none(why: "the observer could not be made: \(error)")
    }
  }

  /// Compiles aside and renames into place, so that a half-made observer is never loaded.
  private func compile() throws -> Observation {
    let aside = folder.folder("\(name).new")
    try aside.remove()
    defer { try? aside.remove() }  // Leftovers are removed before the next attempt.
    try aside.create()
    for (name, text) in Self.sources { try aside.create(name, text) }
    // The linker loads it where there is no other library.
    let process = [
      "-O2", "-fPIC", "-shared", "-nostdlib", "-ffreestanding", "-fvisibility=hidden", "-fno-stack-protector",
      "-fno-omit-frame-pointer", "-fasynchronous-unwind-tables", "-Wl,--eh-frame-hdr", "ProcessObserver.c", "-o",
      "process.so",
    ]
    if let reason = try run("clang", process, in: aside) { return .none(why: reason) }
    let declaredTests = ["-O2", "DeclaredTests.c", "-o", "declared-tests", "-ldl"]
    if let reason = try run("clang", declaredTests, in: aside) { return .none(why: reason) }
    let xctest = [
      "-O", "-swift-version", "6", "-parse-as-library", "-emit-library", "-module-name", "MartletObserver",
      "-Xcc", "-fno-omit-frame-pointer", "XCTestObserver.swift", "-o", "xctest.so", "-lXCTest", "-module-cache-path",
      aside.file("modules"),
    ]
    let reason = try run("swiftc", xctest, in: aside)
    try aside.folder("modules").remove()
    // The part for XCTest is tried again the next time; the other one is used as it is.
    let place = folder.folder(reason == nil ? name : "\(name).end")
    let observer = Observer(folder: place.path, withoutXCTest: reason)
    if access(observer.process, R_OK) != 0 { try aside.rename(to: place) }
    return .preloaded(observer)
  }

  /// Runs a compiler; returns why it failed, if it did.
  private func run(_ program: String, _ arguments: [String], in aside: Folder) throws -> String? {
    let answer = try workshop.run(program, arguments, in: aside)
    guard !answer.result.succeeded else { return nil }
    let lines = String(decoding: answer.standardError + answer.standardOutput, as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    let words = lines.first { $0.contains("error: ") } ?? lines.first ?? "without a message"
    return "\(program) could not compile the observer: \(words.prefix(300))"
  }
}
