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

  /// A part of which all is known that its key is made of.
  package struct Prepared: Sendable {
    /// Stands for the bytes of the files, and is worked out much faster than they are made; nil where it is not known.
    package let key: PageKey?
    /// Makes the files.
    package let files: @Sendable () throws -> [File]

    init(key: PageKey? = nil, _ files: @escaping @Sendable () throws -> [File]) {
      self.key = key
      self.files = files
    }
  }

  private let preparing: @Sendable (PageHash?) -> Prepared
  /// The paths of the files of a part with a key; empty for one without.
  package let paths: [String]

  init(_ making: @escaping @Sendable () throws -> [File]) {
    preparing = { _ in Prepared(making) }
    paths = []
  }

  /// Files that follow from what their key is made of.
  /// - Parameter preparing: takes the hash that `prepared` is given.
  init(paths: [String], _ preparing: @escaping @Sendable (PageHash?) -> Prepared) {
    self.preparing = preparing
    self.paths = paths
  }

  /// A file that is made by one call.
  init(_ path: String, _ making: @escaping @Sendable () throws -> [UInt8]) {
    self.init { [File(path: path, bytes: try making())] }
  }

  /// The same files in a folder of the report.
  func moved(into folder: String) -> ReportPart {
    ReportPart(paths: paths.map { "\(folder)/\($0)" }) { [preparing] hash in
      let prepared = preparing(hash)
      return Prepared(key: prepared.key) {
        try prepared.files().map { File(path: "\(folder)/\($0.path)", bytes: $0.bytes) }
      }
    }
  }

  /// - Parameter hash: has combined what all pages depend on beside the report, such as the program; nil where no key is
  ///   wanted.
  package func prepared(_ hash: PageHash?) -> Prepared { preparing(hash) }

  /// The key of the files; nil where it is not known.
  package func key(_ hash: PageHash) -> PageKey? { preparing(hash).key }

  /// Makes the files; the same ones each time.
  package func files() throws -> [File] { try preparing(nil).files() }
}
