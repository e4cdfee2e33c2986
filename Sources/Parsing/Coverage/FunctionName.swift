import Model
import Syntax

/// A readable name from the Swift demangler, taken apart into a role and a declaration.
///
/// The texts are those of `NodePrinter`:
/// https://github.com/swiftlang/swift/blob/main/lib/Demangling/NodePrinter.cpp
struct FunctionName: Hashable {
  /// The role of a function in the declaration that it is shown under.
  enum Role: Hashable {
    /// The declaration itself.
    case function
    /// A getter, setter or observer of a property or subscript.
    case accessor
    /// The initial value of a stored property.
    case initialValue
    /// A closure, an autoclosure or a default argument.
    case piece
  }

  /// The name of the declaration, such as `Cookie.init(name:)` or `Cookie.name`.
  var declaration: String
  var role: Role

  init(_ demangled: String) {
    var rest = demangled[...]
    var role = Role.function
    while let (shorter, stripped) = Self.strip(rest) {
      rest = shorter
      if role != .piece { role = stripped }
    }
    if !Self.isInitialValue(demangled, rest), let shorter = Self.withoutAccessor(rest) {
      rest = shorter
      if role == .function { role = .accessor }
    }
    declaration = role == .function ? Self.initializer(rest) ?? String(rest) : String(rest)
    self.role = role
  }

  /// Takes a readable C++ name apart; a lambda is a piece of the function that contains it.
  /// - Parameter symbol: its mangled name, which distinguishes a namespace from a function whose name has no
  ///   parameters.
  init(_ name: CxxFunctionName, symbol: String) {
    declaration = name.declaration
    role = name.isLambda ? .piece : .function
    guard name.isLambda, declaration.isEmpty || CxxFunctionName.isInLambdaOfNamespace(symbol) else { return }
    declaration = declaration.isEmpty ? Self.freeLambda : "\(Self.freeLambda) in \(declaration)"
    // A lambda in such a lambda is a piece of that one.
    if !CxxFunctionName.isLocal(symbol) { role = .function }
  }

  /// The name for a lambda outside any function, as in a variable's value; the demangler does not say which variable.
  private static let freeLambda = "lambda"

  /// Returns the name without its first prefix, and the role that the prefix indicates; nil if it has none.
  private static func strip(_ name: Substring) -> (Substring, Role)? {
    for prefix in ["closure #", "implicit closure #"] {
      if let rest = strip(name, prefix, andNumberBefore: " in ") { return (rest, .piece) }
    }
    if let rest = strip(name, "default argument ", andNumberBefore: " of ") { return (rest, .piece) }
    for prefix in initialValuePrefixes where name.utf8.starts(with: prefix.utf8) {
      return (name.dropFirst(prefix.utf8.count), .initialValue)
    }
    return nil
  }

  private static let initialValuePrefixes = [
    "variable initialization expression of ", "property wrapper backing initializer of ",
    "one-time initialization function for ",
  ]

  private static func strip(_ name: Substring, _ prefix: String, andNumberBefore word: String) -> Substring? {
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    let rest = name.utf8.dropFirst(prefix.utf8.count).drop(while: \.isDigit)
    return rest.starts(with: word.utf8) ? Substring(rest.dropFirst(word.utf8.count)) : nil
  }

  /// Whether the last prefix shows that `rest` is a stored property, whose name may end like an accessor's.
  private static func isInitialValue(_ name: String, _ rest: Substring) -> Bool {
    let prefix = name[..<rest.startIndex]
    return initialValuePrefixes.contains { prefix.hasSuffix($0) }
  }

  /// Returns the name that an initializer has in the names of its contents; nil for anything else.
  ///
  /// A class initializer that allocates its object itself, as convenience initializers do, has a different name.
  private static func initializer(_ name: Substring) -> String? {
    guard let found = name.firstRange(ofASCII: "__allocating_init") else { return nil }
    return "\(name[..<found.lowerBound])init\(name[found.upperBound...])"
  }

  /// Returns the name that a subscript's accessors have before their last word, given the name with labels that its
  /// default arguments have; nil for anything but a subscript.
  static func subscriptWithoutLabels(_ declaration: String) -> String? {
    guard declaration.utf8.last == UInt8(ascii: ")"),
      let found = declaration.firstRange(ofASCII: ".subscript(")
        ?? declaration.firstRange(ofASCII: ".subscript<")
    else { return nil }
    return String(declaration[..<declaration.utf8.index(before: found.upperBound)])
  }

  private static func withoutAccessor(_ name: Substring) -> Substring? {
    guard accessor(of: name) != nil else { return nil }
    return name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] }
  }
}

extension FunctionName {
  /// The demangler's names of accessors, and their spellings in Swift.
  private static let spellings: [Substring: String] = [
    "didset": "didSet", "willset": "willSet", "modify2": "modify", "read2": "read",
    "unsafeMutableAddressor": "unsafeMutableAddress", "unsafeAddressor": "unsafeAddress", "getter": "getter",
    "setter": "setter", "modify": "modify", "read": "read", "init": "init",
  ]

  /// Accessors that do not stand for the property, because it has a value of its own without them.
  private static let observers: Set<String> = ["didSet", "willSet", "setter"]

  /// The name for the top-level statements of a `main.swift` in the names of their contents, which the demangler leaves
  /// empty.
  static let topLevelCode = "top-level code"

  /// Whether a mangled name belongs to the function that a `main.swift` becomes. SwiftPM has that of an executable
  /// named after its module, so that tests can be linked with it.
  static func isMain(_ symbol: String) -> Bool {
    symbol == "main" || (symbol.hasSuffix("_main") && !symbol.hasPrefix("$"))
  }

  /// Returns the suffix of a demangled accessor in Swift's spelling; nil for anything else.
  static func accessor(of demangled: Substring) -> String? {
    demangled.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { point in
      spellings[demangled[demangled.utf8.index(after: point)...]]
    }
  }

  /// Returns the kind of a demangled function within the declaration that it is shown under.
  static func kind(of demangled: String, _ role: Role) -> FunctionCoverage.Folded.Kind {
    switch role {
    case .accessor: .accessor(accessor(of: demangled[...]) ?? "accessor")
    case .initialValue: .initialValue
    case .function, .piece: demangled.hasPrefix("default argument ") ? .defaultArgument : .closure
    }
  }

  /// Returns a declaration as it is written in Swift: `static A.<(_:_:)` for `static A.< infix(_:_:)`, `A.b` for
  /// `A<>.b`, `inner(_:) in f()` for `inner #1 (_:) in f()`, `inner() in top-level code` for `inner #1 () in `.
  ///
  /// - Parameter accessors: the known accessors of a property; a single observer is added to the name.
  static func spelled(_ declaration: String, accessors: Set<String> = []) -> String {
    // Most names need no changes.
    let hasBlank = declaration.utf8.contains(UInt8(ascii: " "))
    let isNumbered = hasBlank && declaration.firstRange(ofASCII: " #") != nil
    let isOperator = hasBlank && declaration.firstRange(ofASCII: "fix") != nil
    var name = withoutEmptyGenerics(isNumbered ? withoutNumbers(declaration) : declaration)
    for fixity in [" infix", " prefix", " postfix"] where isOperator {
      for next in ["(", "<"] {
        guard let found = name.firstRange(ofASCII: fixity + next), found.lowerBound > name.startIndex else {
          continue
        }
        name.removeSubrange(found.lowerBound..<name.index(before: found.upperBound))
      }
    }
    if hasBlank, name.hasSuffix(" in ") { name += topLevelCode }
    if accessors.count == 1, let observer = accessors.first, observers.contains(observer) { name += ".\(observer)" }
    return name
  }

  /// Returns a name without the `<>` that the demangler leaves in place of constraints, after constrained extensions'
  /// types and functions. In an operator, `<>` does not follow a name.
  private static func withoutEmptyGenerics(_ name: String) -> String {
    guard name.firstRange(ofASCII: "<>") != nil else { return name }
    let bytes = Array(name.utf8)
    var kept: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if rest.starts(with: "<>".utf8), endsName(kept), endsGenerics(rest.dropFirst(2).first) {
        index += 2
        continue
      }
      kept.append(bytes[index])
      index += 1
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private static func endsName(_ bytes: [UInt8]) -> Bool {
    bytes.last.map { $0.isNamePart || $0 == UInt8(ascii: "`") } ?? false
  }

  /// Whether a byte can follow a list of generic parameters; nil stands for the end of the name.
  private static func endsGenerics(_ next: UInt8?) -> Bool {
    next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "(")
  }

  /// Returns a name without the numbers that distinguish local functions of the same name.
  private static func withoutNumbers(_ name: String) -> String {
    let bytes = Array(name.utf8)
    var kept: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = bytes[min(index + 2, bytes.count)...].prefix(while: \.isDigit)
      let rest = bytes[min(index + 2 + digits.count, bytes.count)...]
      if bytes[index...].starts(with: " #".utf8), !digits.isEmpty {
        if rest.starts(with: " (".utf8) || rest.starts(with: " <".utf8) {
          index += 3 + digits.count
          continue
        }
        if rest.starts(with: " in ".utf8) {
          index += 2 + digits.count
          continue
        }
      }
      kept.append(bytes[index])
      index += 1
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
