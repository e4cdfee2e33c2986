/// A name of the linker taken apart, as `swift-demangle --expand --tree-only` writes it.
///
/// Each line is a node, two blanks further in than the one that it belongs to, with its kind, and perhaps a text or a number
/// (https://github.com/swiftlang/swift/blob/main/lib/Demangling/NodeDumper.cpp).
package struct DemangledNode: Hashable, Sendable {
  package var kind: String
  /// The text, without its quotes.
  package var text: String?
  package var children: [DemangledNode] = []

  /// The arguments of the program that writes them.
  package static let arguments = ["--expand", "--tree-only"]

  /// Reads the program's output; names that it does not understand are missing.
  package static func read(_ output: [UInt8]) -> [String: DemangledNode] {
    let beginning = "Demangling for "
    var found: [String: DemangledNode] = [:]
    var symbol: String?
    /// From the outermost node to the last one.
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

  /// The first child of a kind.
  func child(_ kind: String) -> DemangledNode? { children.first { $0.kind == kind } }

  /// The module and the name of a type that is known by both, such as `Swift.Int`.
  var standardName: String? {
    guard children.count == 2, children[0].kind == "Module", let module = children[0].text, let name = children[1].text
    else { return nil }
    return "\(module).\(name)"
  }
}
