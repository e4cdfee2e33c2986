import Glibc
import Testing

@testable import Integrating

@Suite("Martlet's home")
struct HomeTests {
  private let scratch: Scratch
  private let home: Home

  init() throws {
    scratch = try Scratch()
    home = Home(scratch.file("home"))
  }

  @Test(
    "Is where the option says, then MARTLET_HOME, then the XDG state folder, then below the user's own",
    arguments: [
      (String?("/a"), ["MARTLET_HOME": "/b", "HOME": "/u"], "/a"),
      ("a/b", [:], "/here/a/b"),
      ("", ["MARTLET_HOME": "/b"], "/b"),
      (nil, ["MARTLET_HOME": "b", "XDG_STATE_HOME": "/x"], "/here/b"),
      (nil, ["MARTLET_HOME": "", "XDG_STATE_HOME": "/x", "HOME": "/u"], "/x/martlet"),
      (nil, ["XDG_STATE_HOME": "relative", "HOME": "/u"], "/u/.local/state/martlet"),
      (nil, ["HOME": "/u"], "/u/.local/state/martlet"),
    ])
  func locate(option: String?, environment: [String: String], path: String) throws {
    let home = try Home.locate(option: option, environment: environment, currentFolder: "/here")
    #expect(home.folder.path == path)
  }

  @Test("Cannot be found without any of them, and says what to set")
  func nowhere() {
    #expect(
      throws: IntegratingError(
        .service,
        "cannot find a home for Martlet: neither HOME nor MARTLET_HOME is set. Set one of them, or use --home.")
    ) {
      try Home.locate(option: nil, environment: ["HOME": ""], currentFolder: "/here")
    }
  }

  @Test("Is created when it is needed; a file in its place is told")
  func prepare() throws {
    try home.prepare()
    #expect(home.folder.exists)
    try scratch.folder.write("x", to: "file")
    #expect {
      try Home(scratch.file("file")).prepare()
    } throws: { error in
      "\(error)".hasPrefix("cannot create the folder \(scratch.file("file")): ")
        && "\(error)".hasSuffix(". Make it writable, or choose another home with --home or MARTLET_HOME.")
    }
  }

  /// The permissions of something in the home; the home's own for an empty name.
  private func mode(_ name: String) -> mode_t {
    var status = stat()
    return stat(home.folder.file(name), &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test("A new home is for its user alone")
  func new() throws {
    try home.prepare()
    #expect(mode("") == 0o700)
    #expect(["integrations", "workspaces", "toolchains"].map(mode) == [0o700, 0o700, 0o700])
  }

  @Test("A home of an earlier version is closed to others, but for the way to the site")
  func older() throws {
    try home.folder.create()
    for name in ["integrations", "workspaces", "orders", "site"] { try home.folder.folder(name).create() }
    try scratch.folder.folder("disk").create()
    #expect(symlink(scratch.file("disk"), home.folder.file("outbox")) == 0)
    for name in ["martlet.sqlite", "watcher.lock"] { try home.folder.write([], to: name) }
    for name in home.folder.names() + [""] { #expect(chmod(home.folder.file(name), 0o755) == 0) }
    #expect(chmod(home.folder.file("workspaces"), 0o6777) == 0)
    for _ in 1...2 {
      try home.close()
      #expect(mode("") == 0o711)
      #expect(mode("site") == 0o755)
      for name in home.folder.names() where name != "site" { #expect(mode(name) == 0o700, "\(name)") }
    }
  }

  @Test("What a person closed stays closed, and a home that is not there is not made")
  func closed() throws {
    try home.close()
    #expect(!home.folder.exists)
    try home.prepare()
    try home.folder.folder("site").create()
    for name in ["", "site"] { #expect(chmod(home.folder.file(name), 0o500) == 0) }
    try home.close()
    #expect(["", "site"].map(mode) == [0o500, 0o500])
    #expect(chmod(home.folder.path, 0o700) == 0)
  }

  @Test(
    "A home that everybody may write to is refused, with what to do", arguments: [0o777, 0o1777, 0o722] as [mode_t])
  func open(mode: mode_t) throws {
    try home.requirePrivate()
    try home.folder.create()
    #expect(chmod(home.folder.path, mode) == 0)
    #expect(
      throws: IntegratingError(
        .service,
        "cannot use the home \(home.folder.path): everybody on this machine may write to it, and so change what is built and told. Run: chmod o-w \(home.folder.path)"
      )
    ) { try home.requirePrivate() }
    #expect(chmod(home.folder.path, 0o775) == 0)
    try home.requirePrivate()
  }

  @Test("The first repository of a name owns it; another one gets a name of its own, and keeps it")
  func names() throws {
    #expect(try home.botName(for: "Shop", at: "/one/Shop/.git") == "Shop")
    let second = try home.botName(for: "Shop", at: "/two/Shop/.git")
    #expect(second.wholeMatch(of: /Shop-[0-9a-f]{6}/) != nil)
    #expect(try home.botName(for: "Shop", at: "/two/Shop/.git") == second)
    #expect(try home.botName(for: "Shop", at: "/one/Shop/.git") == "Shop")
    #expect(scratch.text("home/integrations/Shop/repository") == "/one/Shop/.git\n")
  }

  @Test("A repository's name cannot lead out of the home")
  func hostileNames() throws {
    for name in ["..", ".", "a/../../b", "", "-rf", "x\u{0}y", "Übung"] {
      let bot = try home.botName(for: name, at: "/r/\(name)")
      #expect(!bot.contains("/") && !bot.hasPrefix(".") && !bot.hasPrefix("-") && !bot.isEmpty)
      #expect(home.integrations(of: bot).exists)
    }
  }

  @Test("Numbers go up from the highest there is; names that are no numbers do not count")
  func numbers() throws {
    #expect(try home.createIntegration(of: "Shop").number == 1)
    #expect(try home.createIntegration(of: "Shop").number == 2)
    try home.integrations(of: "Shop").folder("41").create()
    try home.integrations(of: "Shop").folder("notes").create()
    try home.integrations(of: "Shop").folder("7").remove()
    let (number, folder) = try home.createIntegration(of: "Shop")
    #expect(number == 42)
    #expect(folder.exists)
    #expect(folder.path == scratch.file("home/integrations/Shop/42"))
    #expect(try home.createIntegration(of: "Other").number == 1)
  }

  @Test("A given number is taken as it is, without what a process that was cut off left there")
  func givenNumber() throws {
    let place = IntegrationRequest.Place(bot: "Shop", number: 7)
    try home.integrations(of: "Shop").folder("7").create().write([1], to: "half")
    let folder = try home.createIntegration(place, of: "/one/Shop/.git")
    #expect(folder.names() == [])
    #expect(scratch.text("home/integrations/Shop/repository") == "/one/Shop/.git\n")
    #expect(try home.botName(for: "Shop", at: "/two/Shop/.git") != "Shop")
  }

  @Test("A number whose integration is finished is refused, and the integration stays")
  func finishedNumber() throws {
    let kept = home.integrations(of: "Shop").folder("7")
    try kept.create().write([1], to: "integration.json")
    #expect(
      throws: IntegratingError(
        .service,
        "cannot carry out Shop 7: it is finished, in \(kept.path). Integrate the commit under a new number.")
    ) { try home.createIntegration(IntegrationRequest.Place(bot: "Shop", number: 7), of: "/one/Shop/.git") }
    #expect(kept.read("integration.json") == [1])
  }

  @Test("A number that cannot be taken is an error that names the folder", .enabled(if: getuid() != 0))
  func unwritable() throws {
    try home.integrations(of: "Shop").create()
    chmod(home.integrations(of: "Shop").path, 0o555)
    defer { chmod(home.integrations(of: "Shop").path, 0o755) }
    let folder = home.integrations(of: "Shop").file("1")
    #expect(
      throws: IntegratingError(
        .service,
        "cannot create the folder \(folder): Permission denied. Make it writable, or choose another home with --home or MARTLET_HOME."
      )
    ) {
      try home.createIntegration(of: "Shop")
    }
  }
}
