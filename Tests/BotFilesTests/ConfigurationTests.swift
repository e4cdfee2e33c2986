import BotFiles
import FoundationEssentials
import Model
import Testing

@Suite("The configuration folder")
struct ConfigurationTests {
  @Test("It is MARTLET_CONFIG, or martlet in the XDG folder, or in .config of the home folder")
  func folder() throws {
    func locate(_ environment: [String: String], bots: String? = nil) throws -> Configuration {
      try Configuration.locate(bots: bots, environment: environment, currentFolder: "/here")
    }
    let all = ["MARTLET_CONFIG": "/etc/m", "XDG_CONFIG_HOME": "/x", "HOME": "/users/ada"]
    #expect(try locate(all).folder == "/etc/m")
    #expect(try locate(all).userHome == "/users/ada")
    #expect(try locate(all.merging(["MARTLET_CONFIG": "m"]) { $1 }).folder == "/here/m")
    #expect(try locate(all.merging(["MARTLET_CONFIG": ""]) { $1 }).folder == "/x/martlet")
    #expect(try locate(["HOME": "/users/ada", "XDG_CONFIG_HOME": "x"]).folder == "/users/ada/.config/martlet")
    #expect(try locate(all).botsFolder == "/etc/m/bots")
    #expect(try locate(all, bots: "mine").botsFolder == "/here/mine")
    #expect(
      Reading.problems { _ = try locate([:]) }.map(\.description) == [
        "martlet.yml: cannot be found: neither HOME nor MARTLET_CONFIG is set; set one of them"
      ])
  }

  @Test("Bots are the files of the bots folder that end with .yml; folders below it are not looked into")
  func bots() throws {
    let scratch = try Scratch()
    for name in ["b.yml", "a-2.yml", "a.yml", ".hidden.yml", "a.yml~", "notes.txt", "examples/c.yml", "d.yaml"] {
      try scratch.write("repository: ..", to: "bots/\(name)")
    }
    let configuration = Configuration(folder: scratch.path, userHome: nil)
    let files = try configuration.botFiles()
    #expect(files == ["a.yml", "a-2.yml", "b.yml", "d.yaml"].map { scratch.file("bots/\($0)") })
    #expect(
      try configuration.bot(at: files[0], settings: ServerSettings()) == Bot(name: "a", repository: scratch.path))
    #expect(
      Reading.problems { _ = try configuration.bot(at: files[3], shownAs: "d.yaml", settings: ServerSettings()) }
        .map(\.description) == ["d.yaml: a bot's file is called NAME.yml; rename it"])
  }

  @Test("Without folder and files there are no bots, and the settings are as by default")
  func nothing() throws {
    let scratch = try Scratch()
    let configuration = Configuration(folder: scratch.file("none"), userHome: nil)
    #expect(try configuration.botFiles() == [])
    #expect(try configuration.settings() == ServerSettings())
    let path = scratch.file("a.yml")
    #expect(
      Reading.problems { _ = try configuration.bot(at: path, settings: ServerSettings()) }.map(\.description) == [
        "\(path): there is no such file"
      ])
    #expect(
      Reading.problems { _ = try configuration.bot(at: "/nowhere/a", settings: ServerSettings()) }.map(\.description)
        == ["/nowhere/a: there is no such file"])
  }

  @Test("Behind a link, relative paths begin where the file really lies")
  func links() throws {
    let scratch = try Scratch()
    try scratch.write("repository: ..", to: "Greeter/bots/greeter.yml")
    try scratch.write("", to: "config/bots/x.txt")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("config/bots/other.yml"), withDestinationPath: scratch.file("Greeter/bots/greeter.yml"))
    let configuration = Configuration(folder: scratch.file("config"), userHome: nil)
    let bot = try configuration.bot(at: scratch.file("config/bots/other.yml"), settings: ServerSettings())
    #expect(bot == Bot(name: "other", repository: scratch.file("Greeter")))
  }

  @Test("Settings are read from martlet.yml, secrets have files of their own")
  func settings() throws {
    let scratch = try Scratch()
    try scratch.write("jobs: 3", to: "martlet.yml")
    let configuration = Configuration(folder: scratch.path, userHome: nil)
    #expect(try configuration.settings().jobs == 3)
    #expect(configuration.secretsFile(of: "greeter") == scratch.file("secrets/greeter.env"))
    #expect(configuration.serverSecretsFile == scratch.file("secrets.env"))
    try scratch.write("jobs: x", to: "martlet.yml")
    #expect(Reading.problems { _ = try configuration.settings() }.map(\.file) == [scratch.file("martlet.yml")])
  }
}
