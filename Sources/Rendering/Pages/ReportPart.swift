/// Files of a report that are made together, independently of other parts and in any order.
package struct ReportPart: Sendable {
  /// A file of a report.
  package struct File: Sendable {
    /// Relative to the top of the report.
    package var path: String
    package var bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
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

  private let preparing: @Sendable (PageHash?) -> Prepared
  /// The paths of the files if the part has a key; otherwise empty.
  package let paths: [String]

  init(_ making: @escaping @Sendable () throws -> [File]) {
    preparing = { _ in Prepared(making) }
    paths = []
  }

  /// Creates a part whose files depend only on the values in their key.
  /// - Parameter preparing: takes the hash that is passed to `prepared`.
  init(paths: [String], _ preparing: @escaping @Sendable (PageHash?) -> Prepared) {
    self.preparing = preparing
    self.paths = paths
  }

  /// Creates a part with a single file.
  init(_ path: String, _ making: @escaping @Sendable () throws -> [UInt8]) {
    self.init { [File(path: path, bytes: try making())] }
  }

  /// Returns the same files in a folder of the report.
  func moved(into folder: String) -> ReportPart {
    ReportPart(paths: paths.map { "\(folder)/\($0)" }) { [preparing] hash in
      let prepared = preparing(hash)
      return Prepared(key: prepared.key) {
        try prepared.files().map { File(path: "\(folder)/\($0.path)", bytes: $0.bytes) }
      }
    }
  }

  /// - Parameter hash: a hash that already combines everything outside the report that all pages depend on, such as the
  ///   program; nil if no key is needed.
  package func prepared(_ hash: PageHash?) -> Prepared { preparing(hash) }

  /// Returns the key of the files; nil if unknown.
  package func key(_ hash: PageHash) -> PageKey? { preparing(hash).key }

  /// Makes the files, which are the same each time.
  package func files() throws -> [File] { try preparing(nil).files() }
}
