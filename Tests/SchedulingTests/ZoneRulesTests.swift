import Foundation
import TestGround
import Testing

@testable import Scheduling

/// An instant in universal time, or a local time where one is asked for.
func instant(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> Int {
  CivilDay(year: year, month: month, day: day).number * 86_400 + hour * 3600 + minute * 60
}

func zone(_ name: String) throws -> ZoneRules {
  let data = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)"))
  return try ZoneRules(tzif: Array(data), name: name)
}

@Suite("Time zones")
struct ZoneRulesTests {
  @Test("Days are counted as the calendar has them")
  func days() {
    #expect(CivilDay(year: 1970, month: 1, day: 1).number == 0)
    #expect(CivilDay(year: 2026, month: 11, day: 20).number == 20_777)
    #expect(CivilDay(year: 1600, month: 2, day: 29).number == -135_081)
    for number in stride(from: -1_000_000, to: 1_000_000, by: 37) {
      #expect(CivilDay(number: number).number == number)
    }
    #expect(CivilDay.weekday(ofNumber: instant(2026, 11, 20) / 86_400) == 5)
    #expect(CivilDay.weekday(ofNumber: -4) == 0)
  }

  @Test("Berlin leaves an hour out in spring and repeats one in autumn")
  func berlin() throws {
    let berlin = try zone("Europe/Berlin")
    let spring = instant(2026, 3, 29, 1)
    #expect([spring - 1, spring].map(berlin.offset(at:)) == [3600, 7200])
    #expect(berlin.instants(ofLocal: instant(2026, 3, 29, 2, 30)) == [])
    #expect(berlin.endOfGap(around: instant(2026, 3, 29, 2, 30)) == spring)
    let autumn = instant(2026, 10, 25, 1)
    #expect([autumn - 1, autumn].map(berlin.offset(at:)) == [7200, 3600])
    #expect(berlin.instants(ofLocal: instant(2026, 10, 25, 2, 30)) == [autumn - 1800, autumn + 1800])
    #expect(berlin.offset(at: instant(2100, 7, 1)) == 7200)
  }

  @Test("Zones that do otherwise are known as well")
  func others() throws {
    let newYork = try zone("America/New_York")
    #expect(newYork.offset(at: instant(2026, 3, 8, 6, 59)) == -18_000)
    #expect(newYork.offset(at: instant(2026, 3, 8, 7)) == -14_400)
    #expect(newYork.offset(at: instant(2026, 11, 1, 6)) == -18_000)
    #expect(try zone("Asia/Kolkata").offset(at: instant(2026, 6, 1)) == 19_800)
    let lordHowe = try zone("Australia/Lord_Howe")
    #expect(lordHowe.offset(at: instant(2026, 1, 1)) == 39_600)
    #expect(lordHowe.offset(at: instant(2026, 7, 1)) == 37_800)
    #expect(lordHowe.endOfGap(around: instant(2026, 10, 4, 2, 15)) == instant(2026, 10, 3, 15, 30))
    #expect(try zone("UTC").offset(at: instant(2026, 7, 1)) == 0)
    let samoa = try zone("Pacific/Apia")
    #expect(samoa.instants(ofLocal: instant(2011, 12, 30, 12)) == [])
    #expect(samoa.endOfGap(around: instant(2011, 12, 30, 12)) == instant(2011, 12, 30, 10))
  }

  @Test(
    "Offsets are those of the system's own library at a thousand instants",
    arguments: [
      "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC", "Africa/Casablanca",
      "Europe/Dublin", "Pacific/Apia", "America/Nuuk", "Asia/Gaza", "Antarctica/Troll", "America/Sao_Paulo",
    ])
  func system(name: String) throws {
    var random = SeededGenerator(seed: 7)
    let instants = (0..<1000).map { _ in Int.random(in: instant(1850, 1, 1)...instant(2450, 1, 1), using: &random) }
    let date = Process()
    date.executableURL = URL(fileURLWithPath: "/bin/date")
    date.arguments = ["--file=-", "+%::z"]
    date.environment = ["TZ": name, "LC_ALL": "C"]
    let (input, output) = (Pipe(), Pipe())
    (date.standardInput, date.standardOutput) = (input, output)
    try date.run()
    try input.fileHandleForWriting.write(contentsOf: Data(instants.map { "@\($0)\n" }.joined().utf8))
    try input.fileHandleForWriting.close()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
      separator: "\n")
    date.waitUntilExit()
    try #require(lines.count == instants.count)
    let zone = try zone(name)
    for (moment, line) in zip(instants, lines) {
      let text = line
      let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
      try #require(parts.count == 3)
      let seconds = parts[0] * 3600 + parts[1] * 60 + parts[2]
      #expect(zone.offset(at: moment) == (text.hasPrefix("-") ? -seconds : seconds), "at \(moment)")
    }
  }

  @Test(
    "A footer that cannot be read is refused", arguments: ["", "X", "CET", "CET-1CEST,M3", "CET-1CEST,M13.1.1,M1.1.1"])
  func badFooter(text: String) {
    #expect(ZoneFooter(text) == nil)
  }

  @Test("A footer names days in any of its three ways")
  func footers() throws {
    let julian = try #require(ZoneFooter("AAA3BBB,J60/0,J300/-1:30"))
    #expect(julian.start.local(in: 2024) == instant(2024, 3, 1))
    #expect(julian.end.local(in: 2023) == instant(2023, 10, 26, 22, 30))
    let counted = try #require(ZoneFooter("<+03>-3<+04>,59,300/24"))
    #expect(counted.start.local(in: 2024) == instant(2024, 2, 29, 2))
    #expect(counted.standard == 10_800 && counted.daylight == 14_400)
    #expect(ZoneFooter("UTC0")?.daylight == nil)
  }

  @Test("A damaged file is refused with a sentence, wherever it is cut or changed")
  func damaged() throws {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
    for length in stride(from: 0, to: data.count, by: 11) {
      #expect(throws: ZoneError.self) { try ZoneRules(tzif: Array(data.prefix(length)), name: "Europe/Berlin") }
    }
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      var changed = data
      changed[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      // Whatever is read must answer without a trap.
      guard let rules = try? ZoneRules(tzif: changed, name: "Europe/Berlin") else { continue }
      _ = rules.offset(at: instant(2026, 7, 1))
      _ = rules.instants(ofLocal: instant(2050, 7, 1))
    }
    do {
      _ = try ZoneRules(tzif: [], name: "Europe/Berlin")
      Issue.record("no bytes were taken for a time zone")
    } catch {
      #expect(
        error.description
          == "Cannot use the time zone Europe/Berlin: its file is not a whole TZif file of version 2 or later. Install the tzdata package again, or name another zone."
      )
    }
  }
}
