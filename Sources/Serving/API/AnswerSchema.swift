/// The form of a JSON value, as far as programs may rely on it (https://json-schema.org/draft/2020-12/json-schema-core).
indirect enum AnswerSchema: Sendable {
  case text
  case date
  case number
  case integer
  case flag
  case choice([String])
  case list(AnswerSchema)
  case object([Field])
  /// An object of which more is told elsewhere.
  case open(String, [Field])
  /// One that has a name of its own.
  case named(String)

  /// A member of an object.
  struct Field: Sendable {
    var name: String
    var schema: AnswerSchema
    var isRequired = true
    var summary = ""

    init(_ name: String, _ schema: AnswerSchema, _ summary: String = "") {
      (self.name, self.schema, self.summary) = (name, schema, summary)
    }

    /// The same of a member that may be missing.
    static func maybe(_ name: String, _ schema: AnswerSchema, _ summary: String = "") -> Field {
      var field = Field(name, schema, summary)
      field.isRequired = false
      return field
    }
  }
}

/// A JSON value that is put together from parts.
indirect enum JSONPart: Encodable, Sendable {
  case text(String)
  case integer(Int)
  case flag(Bool)
  case list([JSONPart])
  case object([String: JSONPart])

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .flag(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}

extension AnswerSchema {
  /// The schema as the OpenAPI document has it.
  var json: JSONPart {
    switch self {
    case .text: .object(["type": .text("string")])
    case .date: .object(["type": .text("string"), "format": .text("date-time")])
    case .number: .object(["type": .text("number")])
    case .integer: .object(["type": .text("integer")])
    case .flag: .object(["type": .text("boolean")])
    case .choice(let values): .object(["type": .text("string"), "enum": .list(values.map { .text($0) })])
    case .list(let element): .object(["type": .text("array"), "items": element.json])
    case .object(let fields): Self.object(fields, ["additionalProperties": .flag(false)])
    case .open(let summary, let fields): Self.object(fields, ["description": .text(summary)])
    case .named(let name): .object(["$ref": .text("#/components/schemas/\(name)")])
    }
  }

  private static func object(_ fields: [Field], _ others: [String: JSONPart]) -> JSONPart {
    var members = others
    members["type"] = .text("object")
    members["properties"] = .object(
      Dictionary(
        fields.map { field in
          guard case .object(var value) = field.schema.json, !field.summary.isEmpty else {
            return (field.name, field.schema.json)
          }
          value["description"] = .text(field.summary)
          return (field.name, .object(value))
        }, uniquingKeysWith: { first, _ in first }))
    let required = fields.filter(\.isRequired).map { JSONPart.text($0.name) }
    if !required.isEmpty { members["required"] = .list(required) }
    return .object(members)
  }
}
