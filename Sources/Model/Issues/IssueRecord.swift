/// What is remembered of one issue from integration to integration, also while it is gone.
package struct IssueRecord: Hashable, Sendable, Codable {
  /// A time through which an issue was there without having been resolved.
  package struct Streak: Hashable, Sendable, Codable {
    /// The number of the integration that showed it first.
    package var opened: Int
    /// The number of the last integration that showed it; it may be open behind that without having been reached.
    package var lastSeen: Int
    /// The number of the integration that proved it gone; nil while it is open.
    package var closed: Int?
    /// Integrations from the one that opened it to the last one in which it was open.
    package var age: Int

    package init(opened: Int, lastSeen: Int, closed: Int? = nil, age: Int = 0) {
      self.opened = opened
      self.lastSeen = lastSeen
      self.closed = closed
      self.age = age
    }
  }

  package var id: String
  package var kind: Issue.Kind
  /// As it was last seen.
  package var message: String
  /// In the files of the integration that remembers it.
  package var location: SourceLocation?
  package var test: TestID?
  /// What a red test failed on, as fingerprints of its messages; nil for other kinds, and in older memories.
  package var findings: [String]?
  /// The step that found an error or a warning of a build; nil for other kinds, and in older memories.
  package var step: Step?
  /// What it is about where Martlet itself found it; nil for what other programs found, and in older memories.
  package var subject: IssueSubject?
  /// Integrations since it was first seen.
  package var age: Int
  /// Whether it was there when it could first be seen.
  package var predates: Bool
  /// The oldest first; never empty, and only the last may be open.
  package var streaks: [Streak]
  /// Who was suspected when the last streak began; nil where nobody was.
  package var suspects: [Suspect]?

  package init(
    id: String, kind: Issue.Kind, message: String, location: SourceLocation?, test: TestID?, age: Int = 0,
    predates: Bool = false, streaks: [Streak]
  ) {
    self.id = id
    self.kind = kind
    self.message = message
    self.location = location
    self.test = test
    self.age = age
    self.predates = predates
    self.streaks = streaks
  }

  /// Whether it has not been proved gone.
  package var isOpen: Bool { streaks.last?.closed == nil }

  /// What there is to tell of it now.
  package var life: IssueLife {
    let last = streaks.last ?? Streak(opened: 0, lastSeen: 0)
    return IssueLife(
      firstSeen: streaks.first?.opened ?? last.opened, streak: max(1, streaks.count), streakStart: last.opened,
      streakAge: last.age, cameBackFrom: streaks.dropLast().last?.lastSeen, predates: predates && streaks.count < 2)
  }
}

extension Issue {
  /// An issue as it is remembered.
  package init(_ record: IssueRecord) {
    self.init(
      id: record.id, kind: record.kind, status: record.isOpen ? .unresolved : .resolved, message: record.message,
      location: record.location, age: record.age, test: record.test)
    findings = record.findings ?? []
    step = record.step
    subject = record.subject
    life = record.life
  }
}
