/// File names for pages, made from the paths that the pages are about.
///
/// A name is readable, the same in every report, and not shared with another page, also where letters have no case.
struct PageNames {
  /// The longest name without ending; folders allow 255 bytes.
  private static let longest = 180

  private let folder: String
  private let prefix: String
  private var taken: Set<String> = []

  /// - Parameters:
  ///   - folder: where the pages lie, relative to the top of the report.
  ///   - prefix: what the names leave out, because all paths of the folder begin with it.
  init(folder: String, leavingOut prefix: String = "") {
    self.folder = folder
    self.prefix = prefix
  }

  /// The page for a path; a later path whose name is taken gets a number.
  mutating func claim(_ path: String, part: Int = 1) -> String {
    let rest = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    let plain = Self.slug(of: rest) + (part > 1 ? ".\(part)" : "")
    var name = plain
    var number = 2
    while !taken.insert(name.lowercased()).inserted {
      name = "\(plain)-\(number)"
      number += 1
    }
    return "\(folder)/\(name).html"
  }

  /// The path with hyphens for slashes; what does not suit an address becomes a low line.
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
    // A name that begins with a dot is hidden.
    if name.first.map({ $0 == UInt8(ascii: ".") }) ?? true { name.insert(UInt8(ascii: "_"), at: 0) }
    return String(decoding: name, as: UTF8.self)
  }
}
