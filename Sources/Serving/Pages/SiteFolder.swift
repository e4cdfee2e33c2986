package import Integrating
import Model
import Processes
import Rendering

/// The pages on disk, served unchanged.
package struct SiteFolder: Sendable {
  private let folder: UntrustedFolder

  package init(of home: Home) {
    folder = UntrustedFolder(home.siteFolder)
  }

  /// Returns the answer with the file at a path; nil if there is none.
  ///
  /// Links are not followed, and only regular files are opened. A folder stands for its index page.
  func answer(_ path: [String]) -> HTTPAnswer? {
    var names = path
    if names.last == "" { names[names.count - 1] = "index.html" }
    guard names.allSatisfy(Self.isName) else { return nil }
    switch folder.open(names.joined(separator: "/")) {
    case .file(let file): return Self.answer(ServedFile(file), names)
    case .folder:
      let address = path.map { "/\(SiteAddress.encoded($0))" }.joined()
      return HTTPAnswer(
        status: 308, headers: [("Location", "\(address)/"), ("Content-Type", ContentType.plainText)], body: .bytes([]))
    case .none: return nil
    }
  }

  /// Whether a path is that of a file used by all pages.
  static func isShared(_ path: [String]) -> Bool { [["style.css"], ["martlet.js"]].contains(path) }

  /// Returns the path of a file in the report of its destination: those after the first have reports like that of the
  /// integration, in folders of it.
  ///
  /// - Parameter path: The path in the folder of the integration.
  static func pathInReport(_ path: ArraySlice<String>) -> ArraySlice<String> {
    path.first == ReportPaths.cells ? path.dropFirst(2) : path
  }

  static func answer(_ file: ServedFile, _ names: [String]) -> HTTPAnswer {
    let (type, isShown) = ContentType.of(names)
    var headers = [("Content-Type", type), ("ETag", file.tag), ("Accept-Ranges", "bytes")]
    if !isShown { headers.append(("Content-Disposition", "attachment")) }
    return HTTPAnswer(status: 200, headers: headers, body: .file(file, 0..<file.length))
  }

  /// Whether a path component can be the name of something in a folder. Names that begin with a period are not
  /// accepted, because reports being written have such names.
  private static func isName(_ part: String) -> Bool {
    !part.isEmpty && !part.hasPrefix(".") && !part.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }
}
