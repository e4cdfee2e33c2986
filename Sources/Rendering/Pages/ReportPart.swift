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
  private let keying: (@Sendable (PageHash) -> PageKey)?
  /// The paths of the files of a part with a key; empty for one without.
  package let paths: [String]

  init(_ making: @escaping @Sendable () throws -> [File]) {
    self.making = making
    keying = nil
    paths = []
  }

  /// Files that follow from what the key is made of.
  init(
    paths: [String], key: @escaping @Sendable (PageHash) -> PageKey, _ making: @escaping @Sendable () throws -> [File]
  ) {
    self.making = making
    keying = key
    self.paths = paths
  }

  /// A file that is made by one call.
  init(_ path: String, _ making: @escaping @Sendable () throws -> [UInt8]) {
    self.init { [File(path: path, bytes: try making())] }
  }

  /// The key of the files, which is worked out much faster than they are made; nil where that is not known.
  /// - Parameter hash: has combined what all pages depend on beside the report, such as the program.
  package func key(_ hash: PageHash) -> PageKey? { keying?(hash) }

  /// Makes the files; the same ones each time.
  package func files() throws -> [File] { try making() }
}
