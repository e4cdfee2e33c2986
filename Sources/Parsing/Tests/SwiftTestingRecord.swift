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
    var experimental: Experimental

    private enum CodingKeys: CodingKey {
      case kind, id, displayName, sourceLocation, isParameterized, testID, instant, messages, issue
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = try container.decodeIfPresent(String.self, forKey: .kind)
      id = try container.decodeIfPresent(String.self, forKey: .id)
      displayName = try container.decodeIfPresent(String.self, forKey: .displayName)
      sourceLocation = try container.decodeIfPresent(Place.self, forKey: .sourceLocation)
      isParameterized = try container.decodeIfPresent(Bool.self, forKey: .isParameterized)
      testID = try container.decodeIfPresent(String.self, forKey: .testID)
      instant = try container.decodeIfPresent(Instant.self, forKey: .instant)
      messages = try container.decodeIfPresent([Message].self, forKey: .messages)
      issue = try container.decodeIfPresent(Issue.self, forKey: .issue)
      experimental = try Experimental(from: decoder)
    }
  }

  /// The fields without a stable format: one that has changed counts as absent, and the record remains readable.
  struct Experimental: Decodable {
    var tags: [String]
    var testCase: Case?
    /// The cases of a test in the order of its arguments, if the record has them.
    var testCases: [Case]
    var comments: [String]
    var sourceLocation: Place?
    var attachment: Attachment?
    var bugs: [Bug]
    /// The time limit, in seconds.
    var timeLimit: Double?

    private enum CodingKeys: String, CodingKey {
      case tags
      case oldTags = "_tags"
      case testCase = "_testCase"
      case testCases = "_testCases"
      case comments = "_comments"
      case sourceLocation = "_sourceLocation"
      case attachment, bugs, timeLimit
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tags =
        (try? container.decode([String].self, forKey: .oldTags))
        ?? (try? container.decode([String].self, forKey: .tags)) ?? []
      testCase = try? container.decode(Case.self, forKey: .testCase)
      testCases = (try? container.decode([Case].self, forKey: .testCases)) ?? []
      comments = (try? container.decode([String].self, forKey: .comments)) ?? []
      sourceLocation = try? container.decode(Place.self, forKey: .sourceLocation)
      attachment = try? container.decode(Attachment.self, forKey: .attachment)
      bugs = (try? container.decode([Bug].self, forKey: .bugs)) ?? []
      timeLimit = try? container.decode(Double.self, forKey: .timeLimit)
    }
  }

  var kind: String?
  var payload: Payload

  init(line: [UInt8]) throws {
    self = try JSONDecoder().decode(SwiftTestingRecord.self, from: Data(line))
  }
}
