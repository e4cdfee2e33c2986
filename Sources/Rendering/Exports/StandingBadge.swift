package import Model

/// The badge for the state of a bot or a branch, even before its first result.
package struct StandingBadge: Sendable {
  /// The picture as SVG.
  package let text: String

  /// - Parameter document: the integration that determines the state; nil if there is none.
  package init(of bot: String, _ document: IntegrationRecord?, _ subject: BadgeSubject) {
    text =
      document.map { Badge(subject, of: $0).text } ?? Badge(unknown: subject == .outcome ? bot : subject.rawValue).text
  }
}
