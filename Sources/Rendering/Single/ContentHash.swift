import FoundationEssentials
import Model

/// How a content policy names a style or a script that stands in the page itself.
enum ContentHash {
  /// https://www.w3.org/TR/CSP3/#grammardef-hash-source
  static func source(of bytes: [UInt8]) -> String { "sha256-\(Data(SHA256.hash(bytes)).base64EncodedString())" }
}
