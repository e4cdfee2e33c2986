import FoundationEssentials
package import Model

/// What there is to say about an issue's past and its silences, the same in the terminal, on pages and in mails.
package enum IssueWords {
  /// The history of an issue as parts of a sentence.
  package static func history(of issue: Issue, record: IssueRecord? = nil) -> [String] {
    guard let life = issue.life else {
      return [issue.age == 0 ? "first seen here" : "first seen \(CountText.counted(issue.age, "integration")) ago"]
    }
    if issue.status == .resolved {
      let closed = record?.streaks.last?.closed.map { "gone since \($0)" } ?? "gone"
      return [closed, "first seen in \(life.firstSeen)"]
    }
    var parts: [String] = []
    if let last = life.cameBackFrom {
      parts.append("came back in \(life.streakStart), last seen in \(last)")
      parts.append("first seen in \(life.firstSeen)")
    } else if life.predates {
      parts.append(life.firstSeen == 1 ? "was there before the first integration" : predating(life))
    } else if life.streakAge == 0 {
      parts.append("first seen here")
    } else {
      parts.append("first seen in \(life.firstSeen), \(CountText.counted(issue.age, "integration")) ago")
    }
    if issue.isCarriedOver {
      parts.append("not checked again\(record?.streaks.last.map { " since \($0.lastSeen)" } ?? "")")
    }
    return parts
  }

  private static func predating(_ life: IssueLife) -> String {
    // What came before did not come to it, or was of the same commit.
    life.streakAge == 0
      ? "nothing earlier to compare it with" : "was there when it could first be seen, in \(life.firstSeen)"
  }

  /// How far a silence reaches, as the end of a sentence.
  package static func extent(of silence: Silence) -> String {
    let scope =
      switch silence.scope {
      case .integration: "for commit \(silence.commit?.short ?? "?") alone"
      case .streak: "until it is gone (it is there since \(silence.number))"
      case .ever: "for ever"
      }
    guard let day = lastDay(of: silence) else { return scope }
    return silence.scope == .ever ? "through \(day)" : "\(scope), and no longer than through \(day)"
  }

  /// Who silenced an issue, how long and why.
  package static func sentence(of silence: Silence) -> String {
    "silenced \(extent(of: silence)) by \(silence.author): \(silence.reason)"
  }

  /// That a silence has ended.
  package static func end(of silence: Silence) -> String {
    let day = lastDay(of: silence).map { " with \($0)" } ?? ""
    return "its silence by \(silence.author) ended\(day): \(silence.reason)"
  }

  /// The last day on which a silence holds; nil for one without an end.
  private static func lastDay(of silence: Silence) -> String? {
    if let day = silence.lastDay.flatMap(LocalTime.day) { return day }
    // Before the day was kept: the one that ends at the moment, which is midnight somewhere near UTC.
    return silence.until.map { end in
      String(LocalTime.utc.minute(of: end.addingTimeInterval(-43_200)).prefix { $0 != "," })
    }
  }
}
