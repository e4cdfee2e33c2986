import Model

/// The types whose values never change through a `let`: nothing is stored in them but values of such types.
///
/// A class of another module, a type parameter and a closure may hold anything.
struct FixedTypes {
  /// The types of the standard library and of Foundation.
  private static let standard = SourceNames.fixedTypes.union([
    "Array", "ArraySlice", "Bool", "CBool", "CChar", "CDouble", "CFloat", "CInt", "CLong", "CShort", "CUnsignedChar",
    "CUnsignedInt", "CUnsignedLong", "CUnsignedShort", "Character", "ClosedRange", "CodingUserInfoKey",
    "ContiguousArray", "Date", "DateComponents", "Dictionary", "Double", "Duration", "Float", "Int", "Int8", "Int16",
    "Int32", "Int64", "Optional", "Range", "Result", "Self", "Set", "StaticString", "String", "Substring", "UInt",
    "UInt8", "UInt16", "UInt32", "UInt64", "UUID", "Void",
  ])
  private static let standardModules: Set<String> = ["Foundation", "FoundationEssentials", "Swift"]

  /// The last words of their names.
  private let known: Set<String>
  /// The modules of the package.
  private let modules: Set<String>

  init(in sources: some Sequence<SourceNames>, modules: Set<String>) {
    let classes = sources.flatMap(\.classes)
    var fixed = sources.reduce(into: [:]) { $0.merge($1.values) { $0.union($1) } }
    fixed.merge(classes.compactMap { type in type.constants.map { (type.name, $0) } }) { $0.union($1) }
    let mutable = classes.filter { $0.constants == nil }.map(\.name)
    for name in mutable { fixed[name] = nil }
    var known = Self.standard.union(fixed.keys).subtracting(mutable)
    var isGrowing = true
    while isGrowing {
      let found = fixed.filter { !Self.holdsOnly(known, $0.value) }.keys
      for name in found { fixed[name] = nil }
      known.subtract(found)
      isGrowing = !found.isEmpty
    }
    self.known = known
    self.modules = modules
  }

  /// Whether all types among some words are known.
  private static func holdsOnly(_ known: Set<String>, _ words: Set<String>) -> Bool {
    words.allSatisfy { $0 != "->" && $0.first?.isUppercase != true || known.contains($0) }
  }

  /// Whether values of a type never change.
  ///
  /// - Parameter type: as `swift-demangle` writes it, such as `[Swift.String : Shop.Cart]?`.
  func hold(_ type: String) -> Bool {
    guard !type.contains("->") else { return false }
    var rest = type[...]
    while let start = rest.firstIndex(where: { $0.isLetter || $0 == "_" }) {
      let name = rest[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      rest = rest[name.endIndex...]
      // What stands before a colon is the name of a part of a tuple.
      if rest.first == ":" { continue }
      let words = name.split(separator: ".").map(String.init)
      let isStandard = Self.standardModules.contains(words[0]) && words.count == 2 && Self.standard.contains(words[1])
      guard isStandard || words.count > 1 && modules.contains(words[0]) && known.contains(words[words.count - 1]) else {
        return false
      }
    }
    return true
  }
}
