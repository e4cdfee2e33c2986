import Model

/// A readable name of the Swift demangler, taken apart into what it is and what it belongs to.
///
/// The texts are those of `NodePrinter`:
/// https://github.com/swiftlang/swift/blob/main/lib/Demangling/NodePrinter.cpp
struct FunctionName: Hashable {
  /// What a function is to the declaration that it is shown under.
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

  /// A readable name of C++, where a lambda is a piece of the function that it is in.
  /// - Parameter symbol: its mangled name, which tells a namespace from a function whose name has no parameters.
  init(_ name: CxxFunctionName, symbol: String) {
    declaration = name.declaration
    role = name.isLambda ? .piece : .function
    guard name.isLambda, declaration.isEmpty || CxxFunctionName.isInLambdaOfNamespace(symbol) else { return }
    declaration = declaration.isEmpty ? Self.freeLambda : "\(Self.freeLambda) in \(declaration)"
    // A lambda in such a lambda is a piece of that.
    if !CxxFunctionName.isLocal(symbol) { role = .function }
  }

  /// What a lambda is called that is in no function, as in the value of a variable; the demangler does not say which.
  private static let freeLambda = "lambda"

  /// The name without its first prefix, and what that prefix says; nil when it has none.
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
    let rest = name.utf8.dropFirst(prefix.utf8.count).drop { 0x30...0x39 ~= $0 }
    return rest.starts(with: word.utf8) ? Substring(rest.dropFirst(word.utf8.count)) : nil
  }

  /// Whether the last prefix said that `rest` is a stored property: its name may then end like an accessor's.
  private static func isInitialValue(_ name: String, _ rest: Substring) -> Bool {
    let prefix = name[..<rest.startIndex]
    return initialValuePrefixes.contains { prefix.hasSuffix($0) }
  }

  /// What an initialiser is called in the names of what is inside of it; nil for what is none.
  ///
  /// That of a class which makes its object itself, as convenience initialisers do, has another name of its own.
  private static func initializer(_ name: Substring) -> String? {
    guard let found = name.firstRange(ofASCII: "__allocating_init") else { return nil }
    return "\(name[..<found.lowerBound])init\(name[found.upperBound...])"
  }

  /// What the accessors of a subscript are called before their last word, for a name with its labels, which its default
  /// arguments have; nil for what is no subscript.
  static func subscriptWithoutLabels(_ declaration: String) -> String? {
    guard declaration.utf8.last == UInt8(ascii: ")"),
      let found = declaration[...].firstRange(ofASCII: ".subscript(")
        ?? declaration[...].firstRange(ofASCII: ".subscript<")
    else { return nil }
    return String(declaration[..<declaration.utf8.index(before: found.upperBound)])
  }

  private static let accessors: Set<Substring> = [
    "getter", "setter", "modify", "modify2", "read", "read2", "didset", "willset", "init", "unsafeAddressor",
    "unsafeMutableAddressor",
  ]

  private static func withoutAccessor(_ name: Substring) -> Substring? {
    guard let point = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    return accessors.contains(name[name.utf8.index(after: point)...]) ? name[..<point] : nil
  }
}
