/// A folder of a report that has a page for each source of a kind, or for each directory.
package enum SourceFolder: String, CaseIterable {
  case counted = "coverage"
  case directories
  case tests = "test-sources"
  case packages = "package-sources"
  case dependencies = "dependency-sources"
  case others = "other-sources"
}

/// File names for pages, derived from the paths of what they show.
///
/// A name is readable, the same in every report, and unique even where letter case is ignored.
struct PageNames {
  /// The maximum length of a name without its extension; file systems allow 255 bytes.
  private static let longest = 180

  private let folder: SourceFolder
  private let prefix: String
  private var taken: Set<String> = []

  /// - Parameters:
  ///   - folder: the folder of the pages.
  ///   - prefix: a prefix of all paths in the folder, which the names omit.
  init(folder: SourceFolder, leavingOut prefix: String = "") {
    self.folder = folder
    self.prefix = prefix
  }

  /// Claims the page for a path; if its name is taken, a number is added.
  mutating func claim(_ path: String, part: Int = 1) -> String {
    let rest = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    let plain = Self.slug(of: rest) + (part > 1 ? ".\(part)" : "")
    var name = plain
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(plain)-\(number)"
      number += 1
    }
    return "\(folder.rawValue)/\(name).html"
  }

  /// Returns the path with hyphens for slashes and underscores for characters that do not suit an address.
  static func slug(of path: String) -> String {
    var name: [UInt8] = []
    name.reserveCapacity(path.utf8.count + 1)
    for byte in path.utf8.prefix(longest) {
      switch byte {
      case UInt8(ascii: "/"): name.append(UInt8(ascii: "-"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "+"):
        name.append(byte)
      default: name.append(UInt8(ascii: "_"))
      }
    }
    // A file whose name begins with a dot is hidden.
    if name.first.map({ $0 == UInt8(ascii: ".") }) ?? true { name.insert(UInt8(ascii: "_"), at: 0) }
    return String(decoding: name, as: UTF8.self)
  }
}
