import CSQLite
import FoundationEssentials

/// The current row of a query.
struct Row: ~Copyable {
  private let statement: OpaquePointer

  init(statement: OpaquePointer) {
    self.statement = statement
  }

  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }
  func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
  func boolean(_ column: Int32) -> Bool { integer(column) != 0 }
  func date(_ column: Int32) -> Date { Date(timeIntervalSince1970: real(column)) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// Returns the text of a column; empty for NULL.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    return String(
      decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))), as: UTF8.self)
  }

  var names: [String] {
    (0..<sqlite3_column_count(statement)).map { sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "" }
  }

  /// The values of all columns, unconverted.
  var values: [SQLValue] {
    (0..<sqlite3_column_count(statement)).map { column in
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: .integer(integer(column))
      case SQLITE_FLOAT: .real(real(column))
      case SQLITE_NULL: .null
      default: .text(text(column))
      }
    }
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
  func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }
  func optionalDate(_ column: Int32) -> Date? { isNull(column) ? nil : date(column) }

  /// Reads a value from JSON; nil if there is none, or one that only another version of Martlet can read.
  func value<Value: Decodable>(_ column: Int32, _ decoder: JSONDecoder) -> Value? {
    optionalText(column).flatMap { try? decoder.decode(Value.self, from: Data($0.utf8)) }
  }
}
