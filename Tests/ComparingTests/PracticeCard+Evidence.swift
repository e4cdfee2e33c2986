import Comparing
import Model
import Rendering

extension PracticeCard {
  /// The card as people are told; nil when no test is listed.
  init?(_ evidence: PracticeEvidence) {
    guard let judged = evidence.judged else { return nil }
    self.init(judged, off: evidence.settings.off)
  }
}
