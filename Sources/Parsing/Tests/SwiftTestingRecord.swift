import FoundationEssentials

/// A line of Swift Testing's event stream, versions 0 to 6.3, with or without the experimental fields.
///
/// The format is described in
/// [JSON.md](https://github.com/swiftlang/swift-testing/blob/main/Documentation/ABI/JSON.md). All fields are optional:
/// required ones are checked where they are used, so that an unusual record does not affect any other.
struct SwiftTestingRecord: Decodable {
  struct Place: Decodable {
    var filePath: String?
    var _filePath: String?
    var line: Int?
    var column: Int?
  }

  struct Message: Decodable {
    var symbol: String?
    var text: String?
  }

  struct Instant: Decodable {
    var absolute: Double?
    var since1970: Double?
  }

  struct Issue: Decodable {
    var isKnown: Bool?
    var isFailure: Bool?
    var severity: String?
    var sourceLocation: Place?
  }

  struct Case: Decodable {
    var id: String?
    var displayName: String?
  }

  /// An attachment of a test; without a path, it was not written to a file.
  struct Attachment: Decodable {
    var path: String?
    var _preferredName: String?
  }

  /// A bug report that a test refers to; reported since version 6.4.
  struct Bug: Decodable {
    var url: String?
    var id: String?
    var title: String?
  }

  struct Payload: Decodable {
    var kind: String?
    var id: String?
    var displayName: String?
    var sourceLocation: Place?
    var isParameterized: Bool?
    var testID: String?
    var instant: Instant?
    var messages: [Message]?
    var issue: Issue?
    @Lenient var tags: [String]?
    @Lenient var oldTags: [String]?
    @Lenient var testCase: Case?
    /// The cases of a test in the order of its arguments, if the record has them.
    @Lenient var testCases: [Case]?
    @Lenient var comments: [String]?
    @Lenient var oldSourceLocation: Place?
    @Lenient var attachment: Attachment?
    @Lenient var bugs: [Bug]?
    /// The time limit, in seconds.
    @Lenient var timeLimit: Double?

    private enum CodingKeys: String, CodingKey {
      case kind, id, displayName, sourceLocation, isParameterized, testID, instant, messages, issue
      case tags, attachment, bugs, timeLimit
      case oldTags = "_tags"
      case testCase = "_testCase"
      case testCases = "_testCases"
      case comments = "_comments"
      case oldSourceLocation = "_sourceLocation"
    }
  }

  var kind: String?
  var payload: Payload

  init(line: [UInt8]) throws {
    self = try JSONDecoder().decode(SwiftTestingRecord.self, from: Data(line))
  }
}

/// A field without a stable format: one that has changed counts as absent, and the record remains readable.
@propertyWrapper
struct Lenient<Value: Decodable>: Decodable {
  var wrappedValue: Value?
}

extension KeyedDecodingContainer {
  func decode<Value>(_: Lenient<Value>.Type, forKey key: Key) throws -> Lenient<Value> {
    Lenient(wrappedValue: try? decode(Value.self, forKey: key))
  }
}
