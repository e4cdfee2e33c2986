import FoundationEssentials
import Model

/// The question to a forge whether the latest status of a commit is the one that is to be reported.
///
/// It is asked before a status is reported again whose report may have arrived: forges keep every report as another
/// status. GitLab refuses to repeat one, and is not asked.
struct StatusCheck {
  private struct Status: Decodable {
    private enum CodingKeys: String, CodingKey {
      case context, state, status, description
      case link = "target_url"
    }

    var context: String?
    /// The state, as GitHub calls it, and as it is called in reports to both.
    var state: String?
    /// The state, as Forgejo calls it in its lists.
    var status: String?
    var description: String?
    var link: String?

    /// What makes a repeated report of it superfluous.
    var told: [String] { [status ?? state ?? "", description ?? "", link ?? ""] }
  }

  private struct List: Decodable {
    var statuses: [Status]?
  }

  /// What a page of the list says.
  enum Finding: Hashable {
    /// The latest status is the one to report.
    case same
    case other
    /// A further page may have a status of this check.
    case absent
    /// There is none, or the page cannot be read.
    case none
  }

  /// The number of pages to read at most; a commit with more checks is told once more instead.
  static let mostPages = 10
  /// The number of bytes of a page to read: a hundred statuses, each with its author, and the repository.
  static let longestPage = 1 << 20

  private let list: String
  private let status: Status

  /// - Parameters:
  ///   - url: The address to which the status is reported.
  ///   - content: The body of the report.
  /// - Returns: nil if the forge need not or cannot be asked.
  init?(_ url: String, _ forge: Forge, content: Data) {
    let parts = url.split(separator: "/", omittingEmptySubsequences: false)
    guard forge != .gitlab, parts.count > 2, parts[parts.count - 2] == "statuses", let commit = parts.last,
      let status = try? JSONDecoder().decode(Status.self, from: content)
    else { return nil }
    self.status = status
    // The most recent status of each context, which GitHub calls the combined status. The list of all statuses is sorted
    // by the second in Forgejo, so two of the same second would be in any order.
    // https://docs.github.com/rest/commits/statuses#get-the-combined-status-for-a-specific-reference,
    // https://codeberg.org/api/swagger#/repository/repoGetCombinedStatusByRef
    let size = forge == .github ? "per_page=100" : "limit=50"
    list = "\(parts.dropLast(2).joined(separator: "/"))/commits/\(commit)/status?\(size)"
  }

  /// - Parameter page: The number of the page, from 1.
  func address(page: Int) -> String { "\(list)&page=\(page)" }

  func judge(_ page: String) -> Finding {
    guard let list = try? JSONDecoder().decode(List.self, from: Data(page.utf8)), let statuses = list.statuses,
      !statuses.isEmpty
    else { return .none }
    // GitHub does not tell capital letters in a context from small ones.
    let context = status.context?.lowercased()
    guard let latest = statuses.first(where: { $0.context?.lowercased() == context }) else { return .absent }
    return latest.told == status.told ? .same : .other
  }
}

extension Sender {
  /// Asks a forge whether it has a status already whose report may have arrived.
  ///
  /// - Returns: The result of the attempt to report it; nil if it is to be reported.
  func ask(_ check: StatusCheck, of call: ForgeCall, _ login: Login) throws(NotifyingError) -> Attempt? {
    for page in 1...StatusCheck.mostPages {
      let answer = try Transfer(
        url: check.address(page: page), kind: .get(headers: call.headers), timing: timing,
        longestAnswer: StatusCheck.longestPage
      ).perform(cancellation)
      switch call.judge(answer, now: now().timeIntervalSince1970) {
      case .accepted:
        switch check.judge(answer.words) {
        case .same: return .accepted(words: "it has this status since an earlier attempt")
        case .other, .none: return nil
        case .absent: continue
        }
      case .failed(let reason, let isReached): return .failed(reason: reason, isReached: isReached)
      case .limited(_, let seconds): return .resting(rest(seconds, login), mayHaveArrived: true)
      // A token may write and not read.
      case .closed, .refused: return nil
      }
    }
    return nil
  }

  func rest(_ seconds: Double, _ login: Login, words: String? = nil) -> Delivery.Rest {
    Delivery.Rest(until: now().addingTimeInterval(seconds), login: login.name, words: words)
  }
}
