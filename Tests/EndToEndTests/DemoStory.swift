import FoundationEssentials

/// The story that `script/demo` tells, told once for all tests that read in it.
struct DemoStory {
  static let told = Result { try DemoStory() }

  let scratch: ScratchFolder
  /// Everything passes.
  let green: Integrated
  /// The morning lasts too long.
  let red: Integrated
  /// A word is misspelt; printed as JSON.
  let broken: Integrated
  /// As it was at first, without progress.
  let fixed: Integrated
  /// The same commit once more.
  let again: Integrated
  /// What had changed in the watched repository after each run.
  let touched: [[String]]

  private init() throws {
    var teller = try Teller()
    scratch = teller.scratch
    green = try teller.integrate("Greet by the time of day")
    try teller.edit("5..<12: self = .morning", "5...12: self = .morning")
    red = try teller.integrate("Let the morning last a little longer")
    try teller.edit("5...12: self = .morning", "5..<12: self = .mourning")
    broken = try teller.integrate("Correct the morning", "--json")
    try teller.edit("self = .mourning", "self = .morning")
    fixed = try teller.integrate("Spell the morning", "--quiet")
    again = try teller.integrate(nil)
    touched = teller.touched
  }
}

/// Commits and integrates.
private struct Teller {
  let scratch: ScratchFolder
  var touched: [[String]] = []
  private let repository: GitFolder

  init() throws {
    scratch = try ScratchFolder("demo")
    repository = try GitFolder("Greeter", in: scratch)
    let package = Checkout.folder("script/demo-package")
    for file in try FileManager.default.subpathsOfDirectory(atPath: package)
    where file.hasSuffix(".swift") && !file.hasPrefix(".") {
      try repository.write(Checkout.text("script/demo-package/\(file)"), to: file)
    }
  }

  mutating func integrate(_ message: String?, _ arguments: String...) throws -> Integrated {
    if let message { try repository.commit(message) }
    let program = Program(scratch: scratch)
    let before = try FolderSnapshot(repository.path)
    let run = try program.run(["run", repository.path] + arguments)
    touched.append(try FolderSnapshot(repository.path).differences(from: before))
    return try program.integrated(touched.count, of: "Greeter", run: run)
  }

  func edit(_ old: String, _ new: String) throws {
    let file = "Sources/Greeter/PartOfDay.swift"
    let text = try scratch.read("Greeter/\(file)")
    try repository.write(text.replacing(old, with: new), to: file)
  }
}
