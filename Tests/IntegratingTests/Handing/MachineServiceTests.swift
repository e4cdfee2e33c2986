import FoundationEssentials
import Glibc
import Model
import Testing

@testable import Integrating

@Suite("A session, on the machine that answers")
struct MachineServiceTests {
  private static let id = "0123456789abcdef"
  private static let cut = "what another machine says was cut off on its way."
  private let scratch: Scratch
  private let order = IntegrationOrder(
    bot: Bot(name: "greeter", repository: "/r"), number: 3, commit: CommitID(rawValue: "a"), branch: "main",
    cause: .commit, queuedAt: Date(timeIntervalSince1970: 0))

  init() throws {
    scratch = try Scratch()
  }

  private func home(_ name: String) -> Home { Home(scratch.file(name)) }

  /// Has a machine answer requests.
  ///
  /// - Returns: what it says, and the error with which it ends.
  private func answer(_ requests: some Collection<UInt8>, in home: Home) throws -> (said: String, error: String?) {
    try scratch.folder.write(Array(requests), to: "requests")
    let input = open(scratch.file("requests"), O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    var said: [UInt8] = []
    let program = CarryingProgram(path: "/bin/true", options: [], environment: [:])
    var told: String?
    do {
      try MachineService(MachineRun(home: home), program: program, input: input) { said += $0 }.serve()
    } catch {
      told = "\(error)"
    }
    return (String(decoding: said, as: UTF8.self), told)
  }

  private func parcel() throws -> [UInt8] {
    let parcel = MachineParcel(bot: "greeter", references: [], head: nil, past: [], dropped: [])
    var bytes: [UInt8] = []
    try FileStream.write(MachineParcel.fileName, [UInt8](try JSONEncoder().encode(parcel))) { bytes += $0 }
    try FileStream.writeEnd { bytes += $0 }
    return bytes
  }

  @Test("An order that is cut off, wherever it is, is neither taken nor begun, and the end of the session tells it")
  func cutOrder() throws {
    let home = home("home")
    let folder = HandoverFolder(Self.id, in: home).folder
    let receive = try MachineRequest.receive(id: Self.id).jsonLine + parcel()
    for count in 1..<receive.count {
      #expect(try answer(receive.prefix(count), in: home) == ("", Self.cut), "\(count)")
      #expect(HandoverFolder.all(in: home).names() == [], "\(count)")
    }
    #expect(try answer(receive, in: home) == ("{\"received\":{}}\n", nil))
    #expect(folder.exists)
    let start = try MachineRequest.start(id: Self.id, order: order, logs: [:]).jsonLine
    for count in 1..<start.count {
      #expect(try answer(start.prefix(count), in: home) == ("", Self.cut), "\(count)")
      #expect(!folder.holds(HandoverFolder.started), "\(count)")
    }
    #expect(try answer(start, in: home).error == nil)
    #expect(folder.holds(HandoverFolder.started))
  }

  @Test("An order that is given twice begins once")
  func twice() throws {
    let home = home("home")
    let receive = try MachineRequest.receive(id: Self.id).jsonLine + parcel()
    let start = try MachineRequest.start(id: Self.id, order: order, logs: [:]).jsonLine
    #expect(try answer(receive + start, in: home).error == nil)
    let folder = HandoverFolder(Self.id, in: home).folder
    var (first, second) = (stat(), stat())
    #expect(lstat(folder.file(HandoverFolder.started), &first) == 0)
    let (said, error) = try answer(receive + start + start, in: home)
    #expect(error == nil)
    #expect(said.hasPrefix("{\"received\":{}}\n"))
    #expect(lstat(folder.file(HandoverFolder.started), &second) == 0 && first.st_ino == second.st_ino)
  }

  @Test("A result is removed by a whole request to do so, and by no part of one")
  func cutRelease() throws {
    let home = home("home")
    try home.prepare()
    let kept = try home.integrations(of: "greeter").folder("3").create()
    try kept.write("document", to: "integration.json")
    try kept.write("log", to: "building.log")
    let folder = try HandoverFolder(Self.id, in: home).folder.create()
    let files = try ResultManifest.files(of: [("kept", kept)])
    let manifest = ResultManifest(id: Self.id, bot: "greeter", number: 3, files: files)
    try folder.write([UInt8](try JSONEncoder().encode(manifest)), to: HandoverFolder.manifest)
    let fetch = try MachineRequest.fetch(id: Self.id, paths: ["kept/integration.json"]).jsonLine
    let release = try MachineRequest.release(id: Self.id, files: []).jsonLine
    for request in [fetch, release] {
      for count in 1..<request.count {
        #expect(try answer(request.prefix(count), in: home) == ("", Self.cut), "\(count)")
        #expect(folder.exists && kept.holds("building.log"), "\(count)")
      }
    }
    #expect(try answer(fetch + release, in: home).said.hasSuffix("\n{\"released\":{}}\n"))
    #expect(!folder.exists && !kept.holds("building.log") && kept.holds("integration.json"))
  }

  @Test("Files that are none of the result are not told")
  func otherFiles() throws {
    let home = home("home")
    try home.prepare()
    let folder = try HandoverFolder(Self.id, in: home).folder.create()
    let manifest = ResultManifest(id: Self.id, bot: "greeter", number: 3, files: [])
    try folder.write([UInt8](try JSONEncoder().encode(manifest)), to: HandoverFolder.manifest)
    let request = try MachineRequest.fetch(id: Self.id, paths: ["kept/../../../secrets"]).jsonLine
    #expect(try answer(request, in: home) == ("", "the result of \(Self.id) has no such file."))
  }
}
