/// The description of the API for programs (https://spec.openapis.org/oas/v3.1.1.html).
struct OpenAPIDocument {
  let endpoints: [Endpoint]
  let schemas: [String: AnswerSchema]
  let version: String

  var bytes: [UInt8] { JSONAnswer.bytes(of: json) }

  private var json: JSONPart {
    .object([
      "openapi": .text("3.1.1"),
      "info": .object([
        "title": .text("Martlet"), "version": .text(version),
        "description": .text(
          "What Martlet's continuous integration found, for programs, and what it can be asked to do."),
        "license": .object(["name": .text("See the file LICENSE of Martlet")]),
      ]),
      "servers": .list([.object(["url": .text("/")])]),
      "paths": .object(
        Dictionary(grouping: endpoints, by: \.path).mapValues { endpoints in
          .object(
            Dictionary(
              endpoints.map { ($0.method.rawValue.lowercased(), $0.operation) }, uniquingKeysWith: { first, _ in first }
            ))
        }),
      "components": .object([
        "schemas": .object(schemas.mapValues(\.json).merging(["Problem": Self.problem]) { first, _ in first }),
        "securitySchemes": .object([
          "token": .object([
            "type": .text("http"), "scheme": .text("bearer"),
            "description": .text("A token of 'martlet tokens new'. Without one, what everybody may see is answered."),
          ])
        ]),
      ]),
    ])
  }

  private static let problem = AnswerSchema.object([
    .init("type", .text), .init("title", .text), .init("status", .integer),
    .init("detail", .text, "What went wrong, on what, and what to do next"),
  ]).json
}

extension Endpoint {
  fileprivate var operation: JSONPart {
    var responses: [String: JSONPart] = ["\(status)": response]
    responses["401"] = Self.problem("The token is wrong, expired or revoked")
    responses["429"] = Self.problem("Too many wrong tokens came; Retry-After says how long to wait")
    responses["400"] = Self.problem("The request says something that is not understood")
    if mayBeAbsent { responses["404"] = Self.problem("There is no such thing, or it is no longer kept") }
    responses["503"] = Self.problem("What is asked for cannot be had just now")
    if method == .post {
      responses["403"] = Self.problem("The token lacks the scope 'ask', or a page of another site sent the request")
      responses["409"] = Self.problem("It cannot be done as things stand, or was done before")
      responses["413"] = .object(["description": .text("The body is too long")])
      responses["415"] = Self.problem("The body is not a form")
    }
    var operation: [String: JSONPart] = [
      "operationId": .text(name), "summary": .text(summary),
      "security": .list([.object([:]), .object(["token": .list([])])]),
      "parameters": .list(parameters.filter { $0.place != .form }.map(\.json)), "responses": .object(responses),
    ]
    if let sent {
      let isRequired = parameters.contains { $0.place == .form && $0.isRequired }
      operation["requestBody"] = .object(["content": .object(sent), "required": .flag(isRequired)])
    }
    return .object(operation)
  }

  /// What is sent along, by its type; nil for nothing.
  private var sent: [String: JSONPart]? {
    // Each forge has a form of its own, of which only the proof is looked at.
    if scope == nil { return ["application/json": .object(["schema": .object([:])])] }
    let fields = parameters.filter { $0.place == .form }
    guard !fields.isEmpty else { return nil }
    let schema: [String: JSONPart] = [
      "type": .text("object"), "additionalProperties": .flag(false),
      "properties": .object(Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.schema) })),
      "required": .list(fields.filter(\.isRequired).map { .text($0.name) }),
    ]
    return ["application/x-www-form-urlencoded": .object(["schema": .object(schema)])]
  }

  private var response: JSONPart {
    let text = JSONPart.object(["type": .text("string")])
    let content: (type: String, schema: JSONPart)? =
      switch answer {
      case .json(let schema): ("application/json", schema.json)
      case .text(let type): (type, text)
      case .file: ("*/*", .object([:]))
      case .page: (ContentType.page, text)
      case .redirect: nil
      }
    var response: [String: JSONPart] = ["description": .text(summary)]
    if let content { response["content"] = .object([content.type: .object(["schema": content.schema])]) }
    return .object(response)
  }

  private static func problem(_ words: String) -> JSONPart {
    let schema = JSONPart.object(["$ref": .text("#/components/schemas/Problem")])
    return .object([
      "description": .text(words), "content": .object(["application/problem+json": .object(["schema": schema])]),
    ])
  }
}

extension Endpoint.Parameter {
  fileprivate var schema: JSONPart {
    switch kind {
    case .text: .object(["type": .text("string"), "minLength": .integer(place == .path || isRequired ? 1 : 0)])
    case .sentence(let most):
      .object(["type": .text("string"), "pattern": .text("[^ \\t\\r\\n\\u000b\\u000c]"), "maxLength": .integer(most)])
    case .choice(let choices): .object(["type": .text("string"), "enum": .list(choices.map { .text($0) })])
    case .number(let most):
      .object(["type": .text("integer"), "minimum": .integer(1), "maximum": .integer(most)])
    }
  }

  fileprivate var json: JSONPart {
    .object([
      "name": .text(name), "in": .text(place.rawValue), "required": .flag(isRequired || place == .path),
      "description": .text(summary), "schema": schema,
    ])
  }
}
