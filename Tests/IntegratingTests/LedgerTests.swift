import Integrating
import Model
import Testing

@Suite("The ledger of a bot's integrations")
struct LedgerTests {
  private let scratch: Scratch
  private let ledger: Ledger

  init() throws {
    scratch = try Scratch()
    ledger = Ledger(in: scratch.folder)
  }

  private static func id(_ digit: Character) -> CommitID { CommitID(rawValue: String(repeating: digit, count: 40)) }

  private func entry(
    _ number: Int, _ digit: Character, _ outcome: Outcome = .succeeded, scope: String = "s", isDirty: Bool = false
  ) -> Ledger.Entry {
    Ledger.Entry(number: number, commit: Self.id(digit), outcome: outcome, scope: scope, isDirty: isDirty)
  }

  @Test("Gives back what was added, in order, for every outcome")
  func roundTrip() throws {
    let entries = Outcome.allCases.enumerated().map {
      entry($0.offset + 1, "a", $0.element, isDirty: $0.offset % 2 == 0)
    }
    for entry in entries { try ledger.append(entry) }
    #expect(ledger.entries() == entries)
  }

  @Test("Has one line for each, as it is documented")
  func line() throws {
    try ledger.append(entry(7, "b", .testFailures, scope: "0a1b2c", isDirty: true))
    #expect(scratch.text("ledger") == "7 \(Self.id("b")) test-failures 0a1b2c dirty\n")
  }

  @Test("Knows the last comparable integration of a branch, wherever the branch has moved to")
  func lastOfBranch() throws {
    var entries: [Ledger.Entry] = []
    for (number, branchKey, outcome) in [
      (1, "main", Outcome.succeeded), (2, "topic", .succeeded), (3, "main", .canceled),
    ] {
      var entry = entry(number, "a", outcome)
      entry.branchKey = branchKey
      entries.append(entry)
      try ledger.append(entry)
    }
    #expect(ledger.entries() == entries)
    #expect(Ledger.last(in: entries, on: "main", scope: "s")?.number == 1)
    #expect(Ledger.last(in: entries, on: "main", scope: "other") == nil)
    #expect(Ledger.last(in: entries, on: "gone", scope: "s") == nil)
  }

  @Test("Is empty before the first integration")
  func empty() {
    #expect(ledger.entries().isEmpty)
  }

  @Test("Passes over a line that was cut off or damaged, and reads the others")
  func damaged() throws {
    try ledger.append(entry(1, "a"))
    var bytes = try #require(scratch.folder.read("ledger"))
    bytes +=
      [0, 0xff, 0xfe] + Array(" nonsense\nx \(Self.id("a")) succeeded s clean\n1 2\n\n9 c no-outcome s clean\n".utf8)
    try scratch.folder.write(bytes, to: "ledger")
    try ledger.append(entry(2, "b"))
    #expect(ledger.entries().map(\.number) == [1, 2])
  }

  @Test("A last line without its end does not swallow the next entry")
  func torn() throws {
    try ledger.append(entry(1, "a"))
    try scratch.folder.append(Array("2 \(Self.id("b")) succ".utf8), to: "ledger")
    try ledger.append(entry(3, "c"))
    #expect(ledger.entries().map(\.number) == [1, 3])
  }

  @Test("A link in its place is not followed")
  func link() throws {
    try scratch.folder.write("1 \(Self.id("a")) succeeded s clean\n", to: "elsewhere")
    try scratch.link("ledger", to: scratch.file("elsewhere"))
    #expect(ledger.entries().isEmpty)
    #expect(throws: IntegratingError.self) { try ledger.append(entry(2, "b")) }
    #expect(scratch.text("elsewhere") == "1 \(Self.id("a")) succeeded s clean\n")
  }

  @Test("The baseline is the newest conclusive, clean integration of the nearest ancestor with the same scope")
  func baseline() {
    let entries = [
      entry(1, "a"), entry(2, "b"), entry(3, "b", .testFailures), entry(4, "b", .canceled),
      entry(5, "b", scope: "other"), entry(6, "b", isDirty: true), entry(7, "c", .internalError),
    ]
    let along = [Self.id("c"), Self.id("b"), Self.id("a")]
    #expect(Ledger.baseline(in: entries, along: along, scope: "s")?.number == 3)
    #expect(Ledger.baseline(in: entries, along: along, scope: "other")?.number == 5)
    #expect(Ledger.baseline(in: entries, along: [Self.id("a")], scope: "s")?.number == 1)
    #expect(Ledger.baseline(in: entries, along: along, scope: "none") == nil)
    #expect(Ledger.baseline(in: entries, along: [], scope: "s") == nil)
  }
}
