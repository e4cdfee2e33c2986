import FoundationEssentials
package import Model
import Processes

/// A call that reports a commit's status to a forge.
struct ForgeCall {
  var forge: Forge
  var token: String

  /// The headers that each forge expects (https://docs.github.com/rest/authentication,
  /// https://docs.gitlab.com/api/rest/authentication/, https://forgejo.org/docs/latest/user/api-usage/).
  var headers: [String] {
    let login =
      switch forge {
      case .github: "Authorization: Bearer \(token)"
      case .gitlab: "PRIVATE-TOKEN: \(token)"
      case .forgejo: "Authorization: token \(token)"
      }
    let version = forge == .github ? ["Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28"] : []
    // Otherwise libcurl waits for the server's permission to send a body.
    return [login, "Content-Type: application/json", "User-Agent: Martlet", "Expect:"] + version
  }

  enum Answer: Hashable {
    case accepted(words: String)
    /// A later attempt may succeed.
    case failed(reason: String, isReached: Bool)
    /// The forge accepts no more calls for a number of seconds.
    case limited(reason: String, seconds: Double)
    /// The forge accepts nothing with this login at this location, whatever the content.
    case closed(reason: String)
    /// The forge does not accept this call.
    case refused(reason: String)
  }

  /// The longest rate limit to respect, in seconds.
  private static let longestLimit = 86_400.0
  /// The seconds to wait if a forge reports too many calls without giving a time.
  private static let usualLimit = 60.0

  /// - Parameter now: The current time in seconds since 1970.
  func judge(_ answer: Transfer.Answer, now: Double) -> Answer {
    let words = SecretMask([token]).mask(Self.message(answer.words))
    let said = "it answers \(answer.status)\(Sender.tail(words))"
    if let failure = answer.failure {
      return .failed(reason: SecretMask([token]).mask(failure), isReached: answer.status != 0)
    }
    if let seconds = limit(answer, now: now) {
      return .limited(reason: said, seconds: min(max(seconds, 1), Self.longestLimit))
    }
    switch answer.status {
    case 200..<300: return .accepted(words: said)
    case 300..<400: return .closed(reason: "it answers \(answer.status), which leads elsewhere")
    case 400 where forge == .gitlab && Self.isThereAlready(answer.words): return .accepted(words: said)
    case 401, 403, 404: return .closed(reason: said)
    case 408, 425, 500..<600: return .failed(reason: said, isReached: true)
    default: return .refused(reason: said)
    }
  }

  /// Returns the seconds until a forge accepts calls again, or nil if it reports no rate limit
  /// (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api,
  /// https://docs.gitlab.com/security/rate_limits/).
  private func limit(_ answer: Transfer.Answer, now: Double) -> Double? {
    let isSpent = answer.limits["x-ratelimit-remaining"] == 0 || answer.limits["ratelimit-remaining"] == 0
    let isSecondary = forge == .github && !isSpent && Self.message(answer.words).contains("secondary rate limit")
    let mayBe = answer.status == 429 || (answer.status == 403 && (isSpent || isSecondary || answer.retryAfter > 0))
    guard mayBe || ((500..<600).contains(answer.status) && answer.retryAfter > 0) else { return nil }
    if answer.retryAfter > 0 { return Double(answer.retryAfter) }
    // The headers are about GitHub's other limit, which is not reached.
    if isSecondary { return Self.usualLimit }
    let reset = answer.limits["x-ratelimit-reset"] ?? answer.limits["ratelimit-reset"]
    return reset.map { Double($0) - now } ?? Self.usualLimit
  }

  /// Returns a forge's own message, from the JSON that all forges use in responses.
  private static func message(_ body: String) -> String {
    let message = (try? JSONDecoder().decode(Message.self, from: Data(body.utf8)))?.message
    let line = (message ?? body).split(whereSeparator: \.isNewline).joined(separator: " ")
    return String(line.prefix(200))
  }

  private struct Message: Decodable {
    var message: String
  }

  /// Returns whether GitLab refuses a state because the commit already has it, or a later one. It reports this only in
  /// words, as https://gitlab.com/gitlab-org/gitlab-foss/-/issues/25807 shows; errors in fields are reported field by
  /// field.
  private static func isThereAlready(_ body: String) -> Bool { message(body).hasPrefix("Cannot transition status") }
}

extension CommitStatus {
  /// The longest description that forges accept, in Unicode scalars.
  private static let longestDescription = 140

  /// Returns the request body for a forge.
  package func body(for forge: Forge, context: String) throws -> [UInt8] {
    var fields = ["state": word(for: forge), "description": shortDescription]
    fields[forge == .gitlab ? "name" : "context"] = context
    fields["target_url"] = link
    // Otherwise GitLab assigns it to the first of the branches that contain the commit.
    if forge == .gitlab, let name = ref.flatMap({ $0.branch ?? $0.tag }) { fields["ref"] = name }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(fields))
  }

  private var shortDescription: String {
    let letters = description.unicodeScalars
    guard letters.count > Self.longestDescription else { return description }
    var short = String.UnicodeScalarView()
    short.append(contentsOf: letters.prefix(Self.longestDescription - 1))
    return "\(String(short))…"
  }

  private func word(for forge: Forge) -> String {
    switch (state, forge) {
    case (.pending, _): "pending"
    case (.running, .gitlab): "running"
    case (.running, _): "pending"
    case (.succeeded, _): "success"
    case (.failed, .gitlab): "failed"
    case (.failed, _): "failure"
    case (.unknown, .gitlab): "canceled"
    case (.unknown, _): "error"
    }
  }
}
