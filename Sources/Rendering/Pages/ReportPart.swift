/// Files of a report that are made together, independently of other parts and in any order.
package struct ReportPart: Sendable {
  /// A file of a report.
  package struct File: Sendable {
    /// Relative to the top of the report.
    package var path: String
    package var bytes: [UInt8]
  }

  /// A part whose key can be determined before its files are made.
  package struct Prepared: Sendable {
    /// A key for the bytes of the files, much faster to compute than the files themselves; nil if unknown.
    package let key: PageKey?
    /// Makes the files.
    package let files: @Sendable () throws -> [File]

    init(key: PageKey? = nil, _ files: @escaping @Sendable () throws -> [File]) {
      self.key = key
      self.files = files
    }
  }

  /// Takes a hash that already combines everything outside the report that all pages depend on, such as the program; nil
  /// if no key is needed.
  package let prepared: @Sendable (PageHash?) -> Prepared
  /// The paths of the files if the part has a key; otherwise empty.
  package let paths: [String]

  init(_ making: @escaping @Sendable () throws -> [File]) {
    prepared = { _ in Prepared(making) }
    paths = []
  }

  /// Creates a part whose files depend only on the values in their key.
  init(paths: [String], _ prepared: @escaping @Sendable (PageHash?) -> Prepared) {
    self.prepared = prepared
    self.paths = paths
  }

  /// Creates a part with a single file.
  init(_ path: String, _ making: @escaping @Sendable () throws -> [UInt8]) {
    self.init { [File(path: path, bytes: try making())] }
  }

  /// Returns the same files in a folder of the report.
  func moved(into folder: String) -> ReportPart {
    ReportPart(paths: paths.map { "\(folder)/\($0)" }) { [prepared] hash in
      let prepared = prepared(hash)
      return Prepared(key: prepared.key) {
        try prepared.files().map { File(path: "\(folder)/\($0.path)", bytes: $0.bytes) }
      }
    }
  }

  /// Makes the files, which are the same each time.
  package func files() throws -> [File] { try prepared(nil).files() }
}
