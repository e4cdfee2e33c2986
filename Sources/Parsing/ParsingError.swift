import FoundationEssentials

/// An error about tool output that cannot be read.
package struct ParsingError: Error, Hashable, CustomStringConvertible {
  /// The input, worded to follow "Cannot read", such as `the export of llvm-cov`.
  package var input: String
  /// The place in the input, in bytes from 0; nil if the input as a whole is wrong.
  package var offset: Int?
  /// The reason why it cannot be read.
  package var reason: String
  /// The advice for the person who sees the error; a whole sentence.
  package var advice: String

  package init(
    _ input: String, at offset: Int? = nil, reason: String,
    advice: String = "If the tool ended normally, its format is new to Martlet; please report it."
  ) {
    self.input = input
    self.offset = offset
    self.reason = reason
    self.advice = advice
  }

  package var description: String {
    let place = offset.map { " at byte \($0)" } ?? ""
    return "Cannot read \(input)\(place): \(reason). \(advice)"
  }
}

/// What a tool wrote as JSON.
enum ToolJSON {
  /// Reads a whole document; invalid UTF-8 inside of strings is repaired, and a form's own `ParsingError` is passed on.
  ///
  /// - Parameter input: a description of the bytes for error messages.
  static func read<Form: Decodable>(_ bytes: [UInt8], of input: String) throws(ParsingError) -> Form {
    do {
      return try JSONDecoder().decode(Form.self, from: Data(String(decoding: bytes, as: UTF8.self).utf8))
    } catch let error as ParsingError {
      throw error
    } catch {
      throw ParsingError(input, reason: reason(error))
    }
  }

  /// Returns why JSON could not be decoded, with the place of what is missing or has another form.
  static func reason(_ error: any Error) -> String {
    func path(_ keys: [any CodingKey]) -> String {
      keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      return "'\(path(context.codingPath + [key]))' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      let path = path(context.codingPath)
      return path.isEmpty ? "it is no valid JSON object" : "'\(path)' is not what the format says"
    default:
      return "it is no valid JSON object"
    }
  }
}
