import Comparing
import Model
import Rendering

/// A verdict as people are told.
struct ToldVerdict: Hashable {
  var outcome: Outcome
  var sentences: [String]
  var onlyGatesFailed: Bool

  init(_ outcome: Outcome, _ sentences: [String] = [], onlyGatesFailed: Bool = false) {
    self.outcome = outcome
    self.sentences = sentences
    self.onlyGatesFailed = onlyGatesFailed
  }
}

extension Verdict {
  var sentences: [String] { reasons.map(\.sentence) }
  var told: ToldVerdict { ToldVerdict(outcome, sentences, onlyGatesFailed: onlyGatesFailed) }
}
