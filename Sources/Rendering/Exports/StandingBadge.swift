package import Model

/// The badge of a bot or a branch, made of how it stands; a bot that stands nowhere yet has one, too.
package struct StandingBadge: Sendable {
  /// The picture as SVG.
  package let text: String

  /// - Parameter document: of the integration that decides; nil where there is none.
  package init(of bot: String, _ document: IntegrationRecord?, _ subject: BadgeSubject) {
    text =
      document.map { Badge(subject, of: $0).text } ?? Badge(unknown: subject == .outcome ? bot : subject.rawValue).text
  }
}
