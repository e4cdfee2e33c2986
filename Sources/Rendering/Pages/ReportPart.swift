/// Some files of a report that are made together, apart from all others and in any order.
package struct ReportPart: Sendable {
  /// A file of a report.
  package struct File: Sendable {
    /// Relative to the report's top.
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  private let making: @Sendable () throws -> [File]

  init(_ making: @escaping @Sendable () throws -> [File]) {
    self.making = making
  }

  /// A file that is made by one call.
  init(_ path: String, _ making: @escaping @Sendable () throws -> [UInt8]) {
    self.init { [File(path: path, bytes: try making())] }
  }

  /// Makes the files; the same ones each time.
  package func files() throws -> [File] { try making() }
}
