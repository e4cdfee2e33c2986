/// The history of an issue over integrations, as shown in an integration's document and pages.
package struct IssueLife: Hashable, Sendable, Codable {
  /// The number of the integration that first showed the issue.
  package var firstSeen: Int
  /// How often the issue has appeared, including this time: 1 for one that has never been gone.
  package var streak = 1
  /// The number of the integration that began this streak.
  package var streakStart: Int
  /// The number of integrations since this streak began, excluding this one.
  package var streakAge = 0
  /// The number of the last integration that showed the issue before it was gone; nil for one that has never been gone.
  package var cameBackFrom: Int?
  /// Whether the issue existed when it could first be seen, so that no integration knows how it appeared.
  package var predates = false
  /// The first and the last integration in which it may have ended; nil while it is open, if that was in the one that
  /// proved it gone, and in older documents.
  package var goneIn: ClosedRange<Int>?
  /// True if its line or its file went in those, which could not check it; otherwise nil, and in older documents.
  package var wentUnchecked: Bool?
  /// The number of the last integration of this streak in which its test failed for a new reason; nil without one, and in
  /// older documents.
  package var reasonSince: Int?
  /// The number of the integration with which the older issue at the same place began that it shares the suspects of; nil
  /// for one with its own, and in older documents.
  package var elderBegan: Int?
  /// The number of the first integration that was no longer asked for what found it; nil while it is looked for, and in
  /// older documents.
  package var droppedIn: Int?

  /// The number of the integration whose commits are suspected.
  package var began: Int { elderBegan ?? reasonSince ?? streakStart }

  /// Whether an integration before the first that showed it may have had it; there is none before the very first.
  package var mayBeOlder: Bool { predates && firstSeen > 1 }
}
