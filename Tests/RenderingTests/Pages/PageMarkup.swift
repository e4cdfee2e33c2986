/// A page cut into its tags, for checks; it knows as much of HTML as the templates use.
struct PageMarkup {
  struct Attribute {
    var name: String
    var value: String
  }

  struct Tag {
    var name: String
    var isEnd: Bool
    var isSelfClosing: Bool
    var attributes: [Attribute]
  }

  static let policy =
    #"<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">"#

  /// That of a page which follows events where it is served.
  static let followingPolicy = policy.replacing("img-src 'self'; ", with: "img-src 'self'; connect-src 'self'; ")

  /// Start tags and end tags in order.
  let all: [Tag]

  var tags: [Tag] { all.filter { !$0.isEnd } }

  init(_ text: String) {
    var all: [Tag] = []
    let bytes = Array(text.utf8)
    var at = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      var end = start + 1
      var isQuoted = false
      while end < bytes.count, isQuoted || bytes[end] != UInt8(ascii: ">") {
        if bytes[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
        end += 1
      }
      all.append(Self.tag(bytes[(start + 1)..<end]))
      at = min(end + 1, bytes.count)
    }
    self.all = all
  }

  /// The values of an attribute, entities resolved as far as the templates write them.
  func values(of attribute: String) -> [String] {
    tags.flatMap { tag in tag.attributes.filter { $0.name == attribute && tag.name != "use" }.map(\.value) }
  }

  /// The first element that is closed out of order or not at all.
  var nestingFault: String? {
    let void: Set = ["meta", "link", "input", "br", "wbr", "img", "!DOCTYPE", "!doctype"]
    var open: [String] = []
    for tag in all where !tag.isSelfClosing && !void.contains(tag.name) {
      // Cells with a paragraph, rows and items end where another begins, or their table or list does
      // (https://html.spec.whatwg.org/#optional-tags).
      let ended: Set<String>? =
        switch tag.name {
        case "td", "th": tag.isEnd ? nil : ["p", "td", "th"]
        case "tr": tag.isEnd ? ["p", "td", "th"] : ["p", "td", "th", "tr"]
        case "tbody", "thead": tag.isEnd ? ["p", "td", "th", "tr"] : ["p", "td", "th", "tr", "thead"]
        case "table": tag.isEnd ? ["td", "th", "tr", "tbody"] : nil
        case "li": tag.isEnd ? nil : ["li"]
        case "ul", "ol": tag.isEnd ? ["li"] : nil
        default: nil
        }
      while let last = open.last, ended?.contains(last) == true { open.removeLast() }
      if !tag.isEnd {
        open.append(tag.name)
      } else if open.popLast() != tag.name {
        return "</\(tag.name)> after \(open.suffix(4))"
      }
    }
    // So does the page itself.
    return open.isEmpty || open == ["html"] ? nil : "\(open) left open"
  }

  /// A relative link as a path from the top of the site.
  static func resolve(_ link: String, from page: String) -> String {
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in link.split(separator: "/").map(String.init) {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  private static func tag(_ text: ArraySlice<UInt8>) -> Tag {
    var rest = text
    let isEnd = rest.first == UInt8(ascii: "/")
    if isEnd { rest.removeFirst() }
    let isSelfClosing = rest.last == UInt8(ascii: "/")
    if isSelfClosing { rest.removeLast() }
    let name = cut(&rest, to: isSpace)
    var attributes: [Attribute] = []
    while true {
      rest = rest.drop(while: isSpace)
      guard !rest.isEmpty else { break }
      let attribute = cut(&rest) { $0 == UInt8(ascii: "=") || isSpace($0) }
      var value = ""
      if rest.first == UInt8(ascii: "=") {
        rest.removeFirst()
        if rest.first == UInt8(ascii: "\"") {
          rest.removeFirst()
          value = cut(&rest) { $0 == UInt8(ascii: "\"") }
        } else {
          value = cut(&rest, to: isSpace)
        }
        rest = rest.dropFirst()
      }
      attributes.append(Attribute(name: attribute, value: value))
    }
    return Tag(name: name, isEnd: isEnd, isSelfClosing: isSelfClosing, attributes: attributes)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
  }

  /// Takes what stands before a byte, or everything, from the beginning.
  private static func cut(_ rest: inout ArraySlice<UInt8>, to isEnd: (UInt8) -> Bool) -> String {
    let end = rest.firstIndex(where: isEnd) ?? rest.endIndex
    defer { rest = rest[end...] }
    return String(decoding: rest[..<end], as: UTF8.self)
  }
}
