import Foundation
import Rendering
import Testing

/// The cases of https://github.com/mustache/spec, read from the folder that the environment variable MUSTACHE_SPEC names.
@Suite("The Mustache specification")
struct MustacheSpecificationTests {
  static let folder = ProcessInfo.processInfo.environment["MUSTACHE_SPEC"]
  static let modules = [
    "comments", "delimiters", "interpolation", "inverted", "partials", "sections", "~inheritance",
  ]

  @Test(
    "Every case renders as expected",
    .enabled(if: folder != nil, "MUSTACHE_SPEC does not name the folder with the specification's case files"),
    arguments: modules)
  func cases(module: String) throws {
    let path = try #require(Self.folder) + "/\(module).json"
    let cases = try Case.read(path)
    try #require(!cases.isEmpty)
    for test in cases {
      let library = try TemplateLibrary(sources: test.templates)
      let bytes = try library.render(Case.main, test.data, mode: .lenient)
      #expect(String(decoding: bytes, as: UTF8.self) == test.expected, "\(test.name)")
    }
  }
}

/// One case of the specification.
private struct Case {
  static let main = "the template under test"

  var name: String
  var templates: [String: String]
  var data: TemplateValue
  var expected: String

  static func read(_ path: String) throws -> [Case] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    let tests = try #require((json as? [String: Any])?["tests"] as? [[String: Any]])
    return try tests.map(Case.init)
  }

  init(_ json: [String: Any]) throws {
    name = try #require(json["name"] as? String)
    expected = try #require(json["expected"] as? String)
    data = try Self.value(try #require(json["data"]))
    templates = json["partials"] as? [String: String] ?? [:]
    templates[Self.main] = try #require(json["template"] as? String)
  }

  private static func value(_ json: Any) throws -> TemplateValue {
    switch json {
    case let text as String: return .text(text)
    case let number as NSNumber where String(cString: number.objCType) == "c": return .flag(number.boolValue)
    case let number as NSNumber:
      return Int(exactly: number.doubleValue).map(TemplateValue.number) ?? .text(number.stringValue)
    case let list as [Any]: return .list(try list.map(value))
    case let record as [String: Any]: return .record(try record.mapValues(value))
    default: return .missing
    }
  }
}
