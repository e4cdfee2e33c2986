/// A symbol taken apart, as `swift-demangle --expand --tree-only` prints it.
///
/// Each line is a node, indented two spaces further than its parent, with its kind and possibly a text or a number
/// (https://github.com/swiftlang/swift/blob/main/lib/Demangling/NodeDumper.cpp).
package struct DemangledNode: Hashable, Sendable {
  package var kind: String
  /// The text, without its quotes.
  package var text: String?
  package var children: [DemangledNode] = []

  /// The arguments for `swift-demangle`.
  package static let arguments = ["--expand", "--tree-only"]

  /// Reads the program's output; symbols that it does not understand are missing.
  package static func read(_ output: [UInt8]) -> [String: DemangledNode] {
    let beginning = "Demangling for "
    var found: [String: DemangledNode] = [:]
    var symbol: String?
    /// The nodes from the outermost to the most recent.
    var open: [DemangledNode] = []
    func close(to depth: Int) {
      while open.count > depth, open.count > 1 {
        let node = open.removeLast()
        open[open.count - 1].children.append(node)
      }
    }
    func finish() {
      close(to: 1)
      if let symbol, let root = open.first { found[symbol] = root }
      open = []
    }
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(beginning) {
        finish()
        symbol = String(text.dropFirst(beginning.count))
        continue
      }
      let indentation = text.prefix { $0 == " " }.count
      guard let node = DemangledNode(text.dropFirst(indentation)), indentation.isMultiple(of: 2) else { continue }
      close(to: indentation / 2)
      open.append(node)
    }
    finish()
    return found
  }

  private init?(_ line: Substring) {
    guard line.hasPrefix("kind=") else { return nil }
    let kind = line.dropFirst(5).prefix { $0 != "," }
    self.kind = String(kind)
    let rest = line.dropFirst(5 + kind.count)
    if rest.hasPrefix(", text=\""), rest.hasSuffix("\"") { text = String(rest.dropFirst(8).dropLast()) }
  }

  func child(_ kind: String) -> DemangledNode? { children.first { $0.kind == kind } }

  /// The name of a type that its module and name alone identify, such as `Swift.Int`.
  var standardName: String? {
    guard children.count == 2, children[0].kind == "Module", let module = children[0].text, let name = children[1].text
    else { return nil }
    return "\(module).\(name)"
  }
}
