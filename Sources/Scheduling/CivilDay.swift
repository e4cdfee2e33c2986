/// A day of the Gregorian calendar.
///
/// The arithmetic is that of https://howardhinnant.github.io/date_algorithms.html.
struct CivilDay: Hashable {
  var year: Int
  /// 1 to 12.
  var month: Int
  /// 1 to 31.
  var day: Int

  init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the day that is `number` days after 1970-01-01.
  init(number: Int) {
    let shifted = number + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days from 1970-01-01 to this day.
  var number: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.flooredDivision(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns the day of the week; 0 for Sunday.
  static func weekday(ofNumber number: Int) -> Int {
    let shifted = number + 4
    return shifted - shifted.flooredDivision(by: 7) * 7
  }

  static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}

extension Int {
  /// Returns the quotient rounded toward negative infinity; the divisor is positive.
  func flooredDivision(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
