import Model

/// What lies before an integration, to compare its coverage with.
struct EarlierCoverage {
  /// The integration that the history leads to, or for a bot its branch.
  enum Nearest {
    case measured(MeasuredIntegration)
    /// None has complete coverage; of those in the history that nothing green followed, the one that lies farthest back.
    case nothing(farthest: IndexedIntegration?)
    /// There may be one, but a sentence says why nobody can tell.
    case unknown(reason: String)
  }

  var nearest: Nearest
  /// The one that would be the nearest, were its commit still in the repository.
  var gone: MeasuredIntegration?
  /// Where the history leads to none, the last one of the branch, as of a commit that was amended.
  var aside: MeasuredIntegration?
  /// The one that would be aside, were its commit still in the repository.
  var goneAside: MeasuredIntegration?

  /// The one that the coverage is compared with.
  var integration: MeasuredIntegration? { measured ?? aside }

  /// The one that tells which lines the commits touched, too.
  var measured: MeasuredIntegration? {
    if case .measured(let integration) = nearest { integration } else { nil }
  }

  /// The one that a gate is judged against, and whose debts are taken on; what a patch is cannot be told from one aside.
  func last(isOfPatch: Bool) -> MeasuredIntegration? {
    gone ?? measured ?? (isOfPatch ? nil : goneAside ?? aside)
  }

  var reason: String? {
    if case .unknown(let reason) = nearest { reason } else { nil }
  }
}
