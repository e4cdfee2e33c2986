import Glibc

/// The system's words for error numbers.
enum SystemReason {
  /// The middle of a sentence.
  static func of(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
