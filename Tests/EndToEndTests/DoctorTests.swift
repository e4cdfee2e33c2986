import FoundationEssentials
import Testing

/// `martlet doctor` on this machine, and on one that has nothing.
@Suite("What the machine lacks", .timeLimit(.minutes(10)))
struct DoctorTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder("doctor")
  }

  @Test("A toolchain and git that are there are told with their places")
  func present() throws {
    let run = try Program(scratch: scratch).run("doctor")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 9)
    #expect(lines[0].contains(/^ok       Swift     Swift version .* in \//), "\(run.output)")
    #expect(lines[1].contains(/^ok       git       \/.*git$/))
    #expect(lines[6] == "ok       home      \(scratch.file("home"))")
    #expect(run.status == (lines.allSatisfy { $0.hasPrefix("ok ") } ? 0 : 3))
  }

  @Test("What is missing is told with what mends it, and the exit status says so")
  func lacking() throws {
    let run = try Program(scratch: scratch, environment: ["PATH": scratch.path]).run("doctor")
    #expect(run.status == 3)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n")
    #expect(
      lines.prefix(5) == [
        "missing  Swift     no Swift toolchain: there is no 'swift' in any folder of PATH. Install Swift 6.0 or newer (https://www.swift.org/install/linux/) and put its usr/bin folder on PATH.",
        "missing  git       there is no git, which fetches dependencies and what lies elsewhere. Run: apt-get install git",
        "missing  sandbox   bubblewrap is not installed. Install it, on Debian and Ubuntu with “apt-get install bubblewrap”.",
        "missing  network   without the sandbox, nothing is kept from the network",
        "missing  eu-stack  there is no eu-stack, which tells on which line a test hangs. Run: apt-get install elfutils",
      ])
  }

  @Test("--json is a list of what was looked for")
  func json() throws {
    let run = try Program(scratch: scratch, environment: ["PATH": scratch.path]).run("doctor", "--json")
    #expect(run.status == 3)
    struct Finding: Decodable {
      var name: String
      var there: Bool
    }
    let findings = try JSONDecoder().decode([Finding].self, from: Data(run.output.utf8))
    #expect(
      findings.map(\.name) == ["Swift", "git", "sandbox", "network", "eu-stack", "libcurl", "home", "disk", "libevent"])
    #expect(findings.prefix(5).allSatisfy { !$0.there })
    #expect(findings[6].there)
  }
}
