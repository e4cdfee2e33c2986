/// The rules that convert universal time to local time in a time zone.
///
/// Created from the bytes of a TZif file, such as `/usr/share/zoneinfo/Europe/Berlin`, in version 2 or later
/// (https://www.rfc-editor.org/rfc/rfc9636). Instants are seconds since 1970 in universal time; local times are counted
/// likewise, as if the zone's clock showed universal time.
package struct ZoneRules: Hashable, Sendable {
  /// The instants at which the offset changes, in ascending order.
  let transitions: [Int]
  /// The offset from each transition on.
  let offsets: [Int]
  /// The offset before the first transition.
  let firstOffset: Int
  /// The rule after the last transition; nil to keep its offset forever.
  let footer: ZoneFooter?

  /// Coordinated universal time.
  package static let utc = ZoneRules(transitions: [], offsets: [], firstOffset: 0, footer: nil)

  /// Returns the seconds to add to universal time to get the local time at an instant.
  package func offset(at instant: Int) -> Int {
    guard let first = transitions.first, let last = transitions.last else {
      return footer?.offset(at: instant) ?? firstOffset
    }
    if instant < first { return firstOffset }
    if instant >= last, let footer { return footer.offset(at: instant) }
    var low = 0
    var high = transitions.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if transitions[middle] <= instant { low = middle } else { high = middle }
    }
    return offsets[low]
  }

  /// Returns the local time at an instant.
  package func local(at instant: Int) -> Int { instant + offset(at: instant) }

  /// Returns the instants at which clocks show a local time, in ascending order: usually one, two in a repeated hour,
  /// none in a skipped one.
  package func instants(ofLocal local: Int) -> [Int] {
    let all = Set(offsets + [firstOffset] + (footer?.offsets ?? []))
    return all.map { local - $0 }.filter { $0 + offset(at: $0) == local }.sorted()
  }

  /// Returns the first instant after the gap in local time that contains `local`.
  func endOfGap(around local: Int) -> Int {
    // Two days cover the longest gap there ever was, a whole day in Samoa.
    var low = local - 2 * 86_400
    var high = local + 2 * 86_400
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if self.local(at: middle) > local { high = middle } else { low = middle }
    }
    return high
  }

  /// Returns the local day at an instant, as days since 1970-01-01.
  func day(at instant: Int) -> Int { local(at: instant).flooredDivision(by: 86_400) }
}

/// An error from reading the data of a time zone.
package struct ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}

extension ZoneRules {
  /// Parses the bytes of a TZif file.
  /// - Parameter name: The name of the zone, for the error.
  package init(tzif bytes: [UInt8], name: String) throws(ZoneError) {
    guard let rules = TZifReader(bytes).read() else {
      throw ZoneError(
        description:
          "Cannot use the time zone \(name): its file is not a whole TZif file of version 2 or later. Install the tzdata "
          + "package again, or name another zone.")
    }
    self = rules
  }
}

/// A parser for TZif files.
private struct TZifReader {
  private struct Header {
    var version: UInt8
    var utcCount, standardCount, leapCount, timeCount, typeCount, nameCount: Int

    /// Returns the length of the data after the header, whose times take `size` bytes each.
    func length(_ size: Int) -> Int {
      timeCount * (size + 1) + typeCount * 6 + nameCount + leapCount * (size + 4) + standardCount + utcCount
    }
  }

  private static let headerLength = 44
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Parses the file; nil if anything is missing or out of bounds.
  func read() -> ZoneRules? {
    guard let first = header(at: 0), first.version >= UInt8(ascii: "2") else { return nil }
    let second = Self.headerLength + first.length(4)
    guard let header = header(at: second) else { return nil }
    let times = second + Self.headerLength
    let indices = times + header.timeCount * 8
    let types = indices + header.timeCount
    let end = second + Self.headerLength + header.length(8)
    guard header.typeCount > 0, end < bytes.count, bytes[end] == UInt8(ascii: "\n") else { return nil }
    let typeOffsets = (0..<header.typeCount).map { Int(Int32(truncatingIfNeeded: number(at: types + $0 * 6, 4))) }
    // RFC 9636 allows one hour more than a day, for zones that were once on the other side of the date line.
    guard typeOffsets.allSatisfy({ (-90_000...93_600).contains($0) }) else { return nil }
    let transitions = (0..<header.timeCount).map { number(at: times + $0 * 8, 8) }
    let chosen = (0..<header.timeCount).map { Int(bytes[indices + $0]) }
    guard chosen.allSatisfy({ $0 < header.typeCount }),
      zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    let text = bytes[(end + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    guard end + 1 + text.count < bytes.count else { return nil }
    let footer = ZoneFooter(String(decoding: text, as: UTF8.self))
    if footer == nil, !text.isEmpty { return nil }
    return ZoneRules(
      transitions: transitions, offsets: chosen.map { typeOffsets[$0] }, firstOffset: typeOffsets[0], footer: footer)
  }

  private func header(at start: Int) -> Header? {
    guard start + Self.headerLength <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
      return nil
    }
    let counts = (0..<6).map { number(at: start + 20 + $0 * 4, 4) }
    guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
    return Header(
      version: bytes[start + 4], utcCount: counts[0], standardCount: counts[1], leapCount: counts[2],
      timeCount: counts[3], typeCount: counts[4], nameCount: counts[5])
  }

  /// Reads a big-endian number of `count` bytes, which the caller has checked are present.
  private func number(at start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// A zone's rule for all future times, in the notation of POSIX's `TZ` variable, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// See https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_03, with hours from -167 to 167
/// as added by https://www.rfc-editor.org/rfc/rfc9636#section-3.3.1.
struct ZoneFooter: Hashable, Sendable {
  /// A day of each year and a time on it, in seconds after its beginning.
  struct Moment: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// 1 to 365; February 29 is never counted.
      case julian(Int)
      /// 0 to 365; February 29 is counted.
      case ofYear(Int)
      /// A month, with a week from 1 to 5, 5 being the last, and a weekday, 0 being Sunday.
      case ofMonth(Int, week: Int, weekday: Int)
    }

    var day: Day
    var time: Int

    /// Returns the moment's local time in a year.
    func local(in year: Int) -> Int {
      let newYear = CivilDay(year: year, month: 1, day: 1).number
      let number: Int
      switch day {
      case .julian(let day): number = newYear + day - 1 + (CivilDay.isLeap(year) && day >= 60 ? 1 : 0)
      case .ofYear(let day): number = newYear + day
      case .ofMonth(let month, let week, let weekday):
        let first = CivilDay(year: year, month: month, day: 1).number
        let next = CivilDay(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1).number
        var found = first + (weekday - CivilDay.weekday(ofNumber: first) + 7) % 7 + (week - 1) * 7
        while found >= next { found -= 7 }
        number = found
      }
      return number * 86_400 + time
    }
  }

  var standard: Int
  /// Nil for a zone without daylight saving time.
  var daylight: Int?
  var start = Moment(day: .ofMonth(3, week: 2, weekday: 0), time: 7200)
  var end = Moment(day: .ofMonth(11, week: 1, weekday: 0), time: 7200)

  var offsets: [Int] { [standard] + (daylight.map { [$0] } ?? []) }

  func offset(at instant: Int) -> Int {
    guard let daylight else { return standard }
    let year = CivilDay(number: (instant + standard).flooredDivision(by: 86_400)).year
    let begins = start.local(in: year) - standard
    let ends = end.local(in: year) - daylight
    let isDaylight = begins < ends ? instant >= begins && instant < ends : instant >= begins || instant < ends
    return isDaylight ? daylight : standard
  }
}

extension ZoneFooter {
  /// Nil if the text is empty or not in the notation.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard Self.takeName(&rest), let west = Self.takeTime(&rest) else { return nil }
    standard = -west
    if rest.isEmpty { return }
    guard Self.takeName(&rest) else { return nil }
    if rest.isEmpty || rest.first == UInt8(ascii: ",") {
      daylight = standard + 3600
    } else {
      guard let west = Self.takeTime(&rest) else { return nil }
      daylight = -west
    }
    if rest.isEmpty { return }
    guard let start = Self.takeMoment(&rest), let end = Self.takeMoment(&rest), rest.isEmpty else { return nil }
    self.start = start
    self.end = end
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private static func takeName(_ rest: inout ArraySlice<UInt8>) -> Bool {
    if take("<", &rest) {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
    rest = rest.dropFirst(letters.count)
    return letters.count >= 3
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>, in bounds: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard let number = Int(String(decoding: digits, as: UTF8.self)), bounds.contains(number) else { return nil }
    rest = rest.dropFirst(digits.count)
    return number
  }

  /// Parses hours, with optional minutes and seconds, and returns seconds.
  private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let sign = take("-", &rest) ? -1 : 1
    if sign == 1 { _ = take("+", &rest) }
    guard let hours = takeNumber(&rest, in: 0...167) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where take(":", &rest) {
      guard let number = takeNumber(&rest, in: 0...59) else { return nil }
      seconds += number * unit
    }
    return sign * seconds
  }

  private static func takeMoment(_ rest: inout ArraySlice<UInt8>) -> Moment? {
    guard take(",", &rest), let day = takeDay(&rest) else { return nil }
    guard take("/", &rest) else { return Moment(day: day, time: 7200) }
    return takeTime(&rest).map { Moment(day: day, time: $0) }
  }

  private static func takeDay(_ rest: inout ArraySlice<UInt8>) -> Moment.Day? {
    if take("J", &rest) { return takeNumber(&rest, in: 1...365).map { .julian($0) } }
    guard take("M", &rest) else { return takeNumber(&rest, in: 0...365).map { .ofYear($0) } }
    guard let month = takeNumber(&rest, in: 1...12), take(".", &rest), let week = takeNumber(&rest, in: 1...5),
      take(".", &rest), let weekday = takeNumber(&rest, in: 0...6)
    else { return nil }
    return .ofMonth(month, week: week, weekday: weekday)
  }
}
