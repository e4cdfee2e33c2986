/// One thing that can be asked for: where it is, what may be said with it, and what it answers.
///
/// Routing, the OpenAPI document and the help are made of the same declarations.
struct Endpoint: Sendable {
  /// Something that a request says.
  struct Parameter: Sendable {
    /// Where it stands.
    enum Place: String, Sendable {
      case path, query
      /// In the body alone: what an address would tell to others.
      case form
    }

    enum Kind: Sendable {
      case text
      /// A text for people, not only blanks, of at most so many Unicode scalars.
      case sentence(most: Int)
      /// A whole number from 1 to the largest of them.
      case number(most: Int)
      case choice([String])
    }

    /// What alone is no sentence.
    static let blanks = Array(" \t\r\n\u{b}\u{c}".unicodeScalars)

    var name: String
    var place = Place.query
    var kind: Kind
    var isRequired = false
    var summary: String
  }

  enum Answer: Sendable {
    case json(AnswerSchema)
    case text(type: String)
    /// Bytes of a type that only the file tells.
    case file
    /// A page for people.
    case page
    /// None but where to go on.
    case redirect
  }

  /// A part of the path.
  enum Part: Equatable {
    case word(String)
    /// A value, with what stands behind it in the same part.
    case value(String, ending: String)
  }

  /// How it is asked for; what answers GET answers HEAD, too.
  var method = HTTPRequest.Method.get
  /// The path with the names of its values in braces.
  let path: String
  /// A short name, for programs that make others from the OpenAPI document.
  let name: String
  /// One sentence without a full stop.
  let summary: String
  let parameters: [Parameter]
  let answer: Answer
  /// What the caller has to be allowed for the bot that it is about, or for those that it tells of; nil where the request
  /// proves itself what it may.
  var scope: AccessToken.Scope? = .read
  /// Whether the answer may say that there is no such thing.
  var mayBeAbsent: Bool {
    if case .page = answer { return true }
    return parameters.contains { $0.place == .path || $0.isRequired }
  }
  /// The status of an answer that is no problem.
  var status: Int {
    switch answer {
    case .redirect: 303
    case .json, .text, .file, .page: method == .post ? 202 : 200
    }
  }
  let body: @Sendable (SiteServer) -> (EndpointCall) throws(Problem) -> HTTPAnswer

  func answers(_ asked: HTTPRequest.Method) -> Bool { asked == method || (asked == .head && method == .get) }

  var parts: [Part] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
      guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .word(String(part)) }
      return .value(String(part.dropFirst()[..<end]), ending: String(part[part.index(after: end)...]))
    }
  }
}

/// A request for one of the endpoints, with what it says.
struct EndpointCall {
  let request: HTTPRequest
  let viewer: Viewer
  fileprivate var texts: [String: String] = [:]
  fileprivate var numbers: [String: Int] = [:]

  /// The text of a parameter that has to be there; routing saw to it.
  func text(_ name: String) -> String { texts[name] ?? "" }
  func optionalText(_ name: String) -> String? { texts[name] }
  func number(_ name: String) -> Int? { numbers[name] }
}

extension Endpoint {
  /// The values in a path; nil for the path of something else.
  func match(_ path: [String]) -> [String: String]? {
    let parts = parts
    guard parts.count == path.count else { return nil }
    var values: [String: String] = [:]
    for (part, text) in zip(parts, path) {
      switch part {
      case .word(let word):
        if word != text { return nil }
      case .value(let name, let ending):
        guard text.hasSuffix(ending), text.utf8.count > ending.utf8.count else { return nil }
        values[name] = String(text.dropLast(ending.count))
      }
    }
    return values
  }

  /// Reads what a request says.
  ///
  /// - Throws: where something is missing, unknown, said twice or no fit value.
  func call(_ request: HTTPRequest, _ path: [String: String], by viewer: Viewer) throws(Problem) -> EndpointCall {
    var call = EndpointCall(request: request, viewer: viewer)
    for (name, value) in path.sorted(by: { $0.key < $1.key }) { try read(name, value, in: [.path], into: &call) }
    var met: Set<String> = []
    // What proves itself has a body of its own form.
    let fields = method == .post && scope != nil ? try request.fields() : []
    for (said, places) in [(request.query, [.query]), (fields, [.query, .form])] as [(_, [Parameter.Place])] {
      for (name, value) in said {
        guard met.insert(name).inserted else { throw Problem(400, "'\(name)' is said twice.") }
        try read(name, value, in: places, into: &call)
      }
    }
    for parameter in parameters where parameter.isRequired && parameter.place != .path {
      guard met.contains(parameter.name) else { throw Problem(400, "'\(parameter.name)' is missing.") }
    }
    return call
  }

  private func read(
    _ name: String, _ value: String, in places: [Parameter.Place], into call: inout EndpointCall
  ) throws(Problem) {
    guard let parameter = parameters.first(where: { $0.name == name && places.contains($0.place) }) else {
      let known = parameters.filter { $0.place != .path && places.contains($0.place) }.map(\.name)
      let others = known.isEmpty ? "It takes none." : "It takes \(known.joined(separator: ", "))."
      throw Problem(400, "There is no parameter '\(name)' here. \(others)")
    }
    switch parameter.kind {
    case .text:
      guard !value.isEmpty || !parameter.isRequired else { throw Problem(400, "'\(name)' is missing.") }
      call.texts[name] = value
    case .sentence(let most):
      guard value.unicodeScalars.contains(where: { !Parameter.blanks.contains($0) }) else {
        throw Problem(400, "'\(name)' says nothing: give it words.")
      }
      guard value.unicodeScalars.count <= most else {
        throw Problem(400, "'\(name)' has more than \(most) characters.")
      }
      call.texts[name] = value
    case .choice(let choices):
      guard choices.contains(value) else {
        throw Problem(400, "'\(name)' is one of \(choices.joined(separator: ", ")).")
      }
      call.texts[name] = value
    case .number(let most):
      let isPlain = !value.isEmpty && value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard isPlain, let number = Int(value), (1...most).contains(number) else {
        throw Problem(400, "'\(name)' is a whole number from 1 to \(most).")
      }
      call.numbers[name] = number
    }
  }
}
