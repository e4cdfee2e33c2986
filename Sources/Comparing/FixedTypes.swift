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
    // A type as a value, such as `Cart.Type`.
    "Type",
  ])
  private static let standardModules: Set<String> = ["Foundation", "FoundationEssentials", "Swift"]

  /// The full names of all types of the package, beginning with the module, by their last words.
  private let declared: [String: [String]]
  /// The full names of those whose values never change.
  private var fixed: Set<String>
  /// The modules of the package.
  private let modules: Set<String>

  init(in sources: [String: SourceNames], _ scopes: ModuleScopes, modules: Set<String>) {
    var stored: [String: Set<String>] = [:]
    var mutable: Set<String> = []
    for (path, names) in sources {
      let module = scopes.module(of: path) ?? ""
      for (type, words) in names.values { stored["\(module).\(type)", default: []].formUnion(words) }
      for type in names.classes {
        let name = "\(module).\(type.path)"
        stored[name, default: []].formUnion(type.constants ?? [])
        if type.constants == nil { mutable.insert(name) }
      }
    }
    declared = Dictionary(grouping: stored.keys, by: Self.lastWord)
    fixed = Set(stored.keys).subtracting(mutable)
    self.modules = modules
    var isGrowing = true
    while isGrowing {
      let found = fixed.filter { name in stored[name]?.allSatisfy { holds($0, within: name) } != true }
      fixed.subtract(found)
      isGrowing = !found.isEmpty
    }
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
      guard isStandard || words.count > 1 && modules.contains(words[0]) && holds(String(name)) else { return false }
    }
    return true
  }

  /// Whether values never change of a type that a property of another one is declared with, or that any other word is none.
  ///
  /// - Parameter name: the full name of the other type, whose own nested types and those around it come first.
  private func holds(_ word: String, within name: String) -> Bool {
    if word == "->" { return false }
    guard word.first == "." || word.first?.isUppercase == true else { return true }
    guard !word.contains(".") else { return holds(word) }
    var around = name.split(separator: ".")
    while around.count > 1 {
      let nested = around.joined(separator: ".") + ".\(word)"
      if declared[word]?.contains(nested) == true { return fixed.contains(nested) }
      around.removeLast()
    }
    return holds(word)
  }

  /// Whether values never change of all types whose names end like that; or else of all with the same last word.
  private func holds(_ name: String) -> Bool {
    let word = Self.lastWord(name)
    guard let all = declared[word] else { return Self.standard.contains(word) }
    let meant = all.filter { $0 == name || $0.hasSuffix(".\(name)") }
    return (meant.isEmpty ? all : meant).allSatisfy(fixed.contains)
  }

  private static func lastWord(_ name: String) -> String { String(name.split(separator: ".").last ?? "") }
}
