/// The rule of a zone for all times to come, in the notation of POSIX's `TZ` variable, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
///
/// https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_03, with the hours from -167 to 167 that
/// https://www.rfc-editor.org/rfc/rfc9636#section-3.3.1 adds.
struct ZoneFooter: Hashable, Sendable {
  /// A day of each year and a time on it, in seconds after its beginning.
  struct Moment: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// 1 to 365; February 29 is never counted.
      case julian(Int)
      /// 0 to 365; February 29 is counted.
      case ofYear(Int)
      /// The week is 1 to 5, 5 for the last; the weekday 0 for Sunday.
      case ofMonth(Int, week: Int, weekday: Int)
    }

    var day: Day
    var time: Int

    /// The local time of it in a year.
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
  /// Nil for a zone without daylight saving.
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
  /// Nil when the text is empty or is not in the notation.
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

  /// Hours, and perhaps minutes and seconds, as seconds.
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
