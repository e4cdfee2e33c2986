import Testing

@testable import Serving

/// Holds answers against the form that the OpenAPI document tells.
@Suite("The description of the API")
struct DescriptionTests {
  private let served: ServedHome

  init() throws { served = try ServedHome(numbers: 1...6) }

  @Test("It names every endpoint, and every form that one refers to")
  func whole() throws {
    let document = try served.json("/api/v1/openapi.json")
    #expect(document["openapi"] == .text("3.1.1"))
    #expect(document["info"]["version"] == .text("1.2.3"))
    for endpoint in Endpoints.all {
      #expect(
        document["paths"][endpoint.path][endpoint.method.rawValue.lowercased()]["operationId"] == .text(endpoint.name))
    }
    for name in Self.references(in: document) {
      #expect(document["components"]["schemas"][name] != .nothing, "\(name)")
    }
  }

  private static func references(in tree: JSONTree) -> Set<String> {
    switch tree {
    case .object(let members):
      if case .text(let reference)? = members["$ref"] { return [String(reference.split(separator: "/").last ?? "")] }
      return members.values.reduce(into: []) { $0.formUnion(references(in: $1)) }
    case .list(let elements): return elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
    default: return []
    }
  }

  @Test(
    "Answers have the form that it tells",
    arguments: [
      "/api/v1/bots", "/api/v1/bots/Greeter", "/api/v1/bots/Greeter/branches", "/api/v1/bots/Greeter/integrations",
      "/api/v1/bots/Greeter/trends", "/api/v1/bots/Greeter/tests?test=GreeterTests.greets()",
      "/api/v1/bots/Greeter/issues", "/api/v1/bots/Greeter/integrations/2", "/api/v1/bots/Greeter/integrations/2/tests",
      "/api/v1/bots/Greeter/integrations/2/files", "/api/v1/queue", "/healthz", "/api/v1/openapi.json",
    ])
  func forms(target: String) throws {
    let request = try HTTPRequest(method: "GET", target: target, headers: [("Host", "localhost")], host: .loopback)
    let endpoint = try #require(Endpoints.all.first { $0.match(request.path) != nil })
    guard case .json(let schema) = endpoint.answer else {
      Issue.record("\(target) is no JSON")
      return
    }
    #expect(Self.faults(of: try served.json(target), schema, target) == [])
  }

  /// Where a value has another form.
  private static func faults(of value: JSONTree, _ schema: AnswerSchema, _ place: String) -> [String] {
    switch (schema, value) {
    case (.named(let name), _):
      return Endpoints.schemas[name].map { faults(of: value, $0, place) } ?? ["\(place): no schema \(name)"]
    case (.text, .text), (.number, .number), (.flag, .flag): return []
    case (.integer, .number(let number)): return number == number.rounded() ? [] : ["\(place): \(number)"]
    case (.date, .text(let text)):
      return text.wholeMatch(of: /[-0-9]{10}T[:0-9]{8}Z/) != nil ? [] : ["\(place): \(text)"]
    case (.choice(let choices), .text(let text)): return choices.contains(text) ? [] : ["\(place): \(text)"]
    case (.list(let element), .list(let values)):
      return values.enumerated().flatMap { faults(of: $1, element, "\(place)[\($0)]") }
    case (.object(let fields), .object(let members)):
      let unknown = Set(members.keys).subtracting(fields.map(\.name)).map { "\(place).\($0): unknown" }
      return unknown + missing(fields, members, place)
    case (.open(_, let fields), .object(let members)): return missing(fields, members, place)
    default: return ["\(place): \(value) is no \(schema)"]
    }
  }

  private static func missing(
    _ fields: [AnswerSchema.Field], _ members: [String: JSONTree], _ place: String
  ) -> [String] {
    fields.flatMap { field -> [String] in
      guard let member = members[field.name] else { return field.isRequired ? ["\(place).\(field.name): missing"] : [] }
      return faults(of: member, field.schema, "\(place).\(field.name)")
    }
  }
}
