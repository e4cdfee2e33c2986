import Model

/// The functions of a file, grouped as a reader of the source sees them: closures, autoclosures, default arguments and
/// initial values belong to the declaration that contains them, and accessors form one property.
struct FunctionFolding {
  /// A declaration and the functions that the compiler generated from it.
  private struct Declaration {
    var name: String
    /// The common prefix of the mangled names of everything in the declaration.
    var stem: Substring
    /// Whether it is the function that the top-level statements become.
    var isTopLevel = false
    var members: [Member] = []
  }

  private struct Member {
    var code: FunctionCode
    var name: String
    var role: FunctionName.Role
    /// All functions that one macro generates at this place; nil if there is only one.
    var twins: MacroTwins?
  }

  /// The declarations that share a readable name, as overloads do.
  private struct Namesakes {
    var first: Int
    /// The first declaration with each stem.
    var byStem: [Substring: Int] = [:]
    /// The lengths of the stems in bytes, descending.
    private(set) var lengths: [Int] = []

    mutating func add(_ stem: Substring, index: Int) {
      if byStem[stem] == nil { byStem[stem] = index }
      let length = stem.utf8.count
      let place = lengths.partitioningIndex { $0 <= length }
      if place == lengths.count || lengths[place] != length { lengths.insert(length, at: place) }
    }
  }

  private var declarations: [Declaration] = []
  /// The declaration of the top-level statements.
  private var main: Int?
  private var namesakes: [String: Namesakes] = [:]

  /// - Parameter file: the path of the file that they are in.
  /// - Returns: the declarations, in source order.
  static func fold(_ functions: [FunctionCode], demangled: [String: String], in file: String) -> [FunctionCoverage] {
    FunctionFolding(functions, demangled: demangled, isSwift: SourceSuffix.suffix(of: file) == "swift").declarations
      .map(coverage).sorted { one, other in
        (one.regions.first?.start ?? none, one.symbol) < (other.regions.first?.start ?? none, other.symbol)
      }
  }

  /// - Parameter isSwift: whether the functions are of a Swift file; in C, the main function is one like any other.
  private init(_ functions: [FunctionCode], demangled: [String: String], isSwift: Bool) {
    var pieces: [(Member, String)] = []
    for code in functions {
      let readable = demangled[code.symbol] ?? ""
      let name = readable.isEmpty ? code.symbol : readable
      let isOfCxx = name != code.symbol && CxxFunctionName.isMangled(code.symbol)
      let parts = isOfCxx ? FunctionName(CxxFunctionName(name), symbol: code.symbol) : FunctionName(name)
      var member = Member(code: code, name: name, role: parts.role)
      if !code.otherSymbols.isEmpty { member.twins = MacroTwins(of: code, demangled: demangled) }
      if parts.role == .piece {
        pieces.append((member, parts.declaration))
      } else {
        add(member, to: parts.declaration, isSwift: isSwift)
      }
    }
    // Pieces can be added only now that all declarations are known.
    for (member, declaration) in pieces { addPiece(member, to: declaration) }
  }

  private static let none = SourcePosition(line: 0, column: 0)

  private mutating func add(_ member: Member, to name: String, isSwift: Bool) {
    let stem = Self.stem(of: member)
    let isMain = FunctionName.isMain(member.code.symbol)
    if isMain { main = declarations.count }
    if member.role != .function, let index = namesakes[name]?.byStem[stem] {
      declarations[index].members.append(member)
    } else {
      let isTopLevel = isMain && isSwift
      append(
        Declaration(
          name: isTopLevel ? FunctionName.topLevelCode : name, stem: stem, isTopLevel: isTopLevel, members: [member]))
    }
  }

  private mutating func addPiece(_ member: Member, to declaration: String) {
    // A closure in a statement of a `main.swift` is outside of any declaration.
    let isTopLevel = declaration.isEmpty
    let name = isTopLevel ? FunctionName.topLevelCode : declaration
    let known =
      isTopLevel
      ? main
      : holder(of: member.code.symbol, named: name)
        ?? FunctionName.subscriptWithoutLabels(name).flatMap { holder(of: member.code.symbol, named: $0) }
    if let index = known ?? namesakes[name]?.first {
      declarations[index].members.append(member)
    } else {
      append(Declaration(name: name, stem: "", members: [member]))
    }
  }

  /// Returns the declaration that contains a piece, according to the piece's mangled name.
  private func holder(of symbol: String, named name: String) -> Int? {
    guard let namesakes = namesakes[name] else { return nil }
    var symbol = symbol[...]
    // A lambda in a lambda.
    while symbol.utf8.starts(with: "_ZZZ".utf8) { symbol = "_Z" + symbol.dropFirst(3) }
    for length in namesakes.lengths where length <= symbol.utf8.count {
      if let index = namesakes.byStem[Substring(symbol.utf8.prefix(length))] { return index }
    }
    return nil
  }

  private mutating func append(_ declaration: Declaration) {
    namesakes[declaration.name, default: Namesakes(first: declarations.count)]
      .add(declaration.stem, index: declarations.count)
    declarations.append(declaration)
  }

  /// Returns the mangled name without the parts that distinguish the accessors of a property, or an initializer that
  /// also allocates from one that does not
  /// (https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst#entities).
  private static func stem(of member: Member) -> Substring {
    var stem = member.code.symbol[...]
    func drop(_ suffix: String) {
      if stem.hasSuffix(suffix) { stem = stem.dropLast(suffix.count) }
    }
    switch member.role {
    case .piece: break
    case .function:
      if CxxFunctionName.isMangled(member.code.symbol) {
        // The names of its contents have one more letter
        // (https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling-scope).
        stem = "_ZZ" + stem.dropFirst(2)
      } else if stem.hasSuffix("fC") || stem.hasSuffix("fc") {
        // The names of its contents have `fc`, whichever of the two was compiled.
        stem = stem.dropLast()
      }
    case .accessor:
      drop("Z")
      stem = stem.hasSuffix("lu") || stem.hasSuffix("au") ? stem.dropLast(2) : stem.dropLast()
    case .initialValue:
      drop("fi")
      drop("Z")
      drop("p")
    }
    return stem
  }

  private static func coverage(of declaration: Declaration) -> FunctionCoverage {
    let members = declaration.members
    let ranks: [FunctionName.Role] = [.function, .accessor, .initialValue, .piece]
    let rank = ranks.first { role in members.contains { $0.role == role } }
    let leaders = members.filter { $0.role == rank }
    // Choosing the most frequently called one ensures that the declaration was never called if its leader was not.
    let leader = members.indices.filter { members[$0].role == rank }
      .max { (members[$0].code.count, $1) < (members[$1].code.count, $0) }
    // A declaration without a function, accessor or value of its own is known only by its pieces.
    let folded = members.indices.filter { rank == .piece || $0 != leader }.map { members[$0] }
    let regions = members.flatMap { member in
      let body = member.code.body
      return member.code.regions.enumerated().map { (region: $1, isEntry: $0 == body) }
    }.sorted { ($0.region.start, $0.region.end) < ($1.region.start, $1.region.end) }
    let accessors = rank == .accessor ? Set(leaders.compactMap { FunctionName.accessor(of: $0.name[...]) }) : []
    let twins = rank == .function ? leaders.first?.twins : nil
    var function = FunctionCoverage(
      name: twins?.name ?? FunctionName.spelled(declaration.name, accessors: accessors),
      symbol: leaders.first?.code.symbol ?? "",
      count: leaders.map(\.code.count).max() ?? 0,
      regions: regions.map(\.region), entries: regions.indices.filter { regions[$0].isEntry },
      folded: folded.map { FunctionCoverage.Folded(FunctionName.kind(of: $0.name, $0.role), count: $0.code.count) })
    function.isOnlyFolded = rank == .piece
    function.isTopLevel = declaration.isTopLevel
    function.twins = (twins?.count ?? 1) - 1
    return function
  }
}

/// The functions that one macro generates at one place, as opposed to copies of one function.
struct MacroTwins: Hashable {
  /// A name for all of them, such as `get_one(int) and get_two(int)`.
  let name: String
  /// The number of functions, at least two.
  let count: Int

  /// Returns nil if there is only one function, however often it was compiled.
  /// - Parameter demangled: readable names by mangled ones.
  init?(of code: FunctionCode, demangled: [String: String]) {
    guard let own = Self.declaration(code.symbol, demangled), let stem = Self.stem(of: own) else { return nil }
    var found = [stem: own]
    for symbol in code.otherSymbols.sorted() {
      guard let other = Self.declaration(symbol, demangled), let stem = Self.stem(of: other) else { continue }
      if found[stem] == nil { found[stem] = other }
    }
    let names = found.values.sorted()
    guard names.count > 1 else { return nil }
    count = names.count
    name = "\(names[0]) and \(count == 2 ? names[1] : "\(count - 1) more")"
  }

  /// Returns nil for anything but a function with a readable name.
  private static func declaration(_ symbol: String, _ demangled: [String: String]) -> String? {
    guard CxxFunctionName.isMangled(symbol) else { return symbol }
    guard let name = demangled[symbol], !name.isEmpty, name != symbol else { return nil }
    let parts = CxxFunctionName(name)
    return parts.isLambda ? nil : parts.declaration
  }

  /// Returns a name without the parts that differ between the copies of a template and between C and C++: the
  /// parameters, and the type that an operator converts to. Nil if part of the name was numbered by a compiler.
  private static func stem(of declaration: String) -> String? {
    let unnamed = "(anonymous namespace)"
    var stem = declaration[...]
    var start = stem
    while let bracket = start.utf8.firstIndex(of: UInt8(ascii: "(")) {
      guard start[bracket...].hasPrefix(unnamed) else {
        stem = stem[..<bracket]
        break
      }
      start = start[bracket...].dropFirst(unnamed.count)
    }
    if let conversion = stem.firstRange(ofASCII: "operator ") { stem = stem[..<conversion.upperBound] }
    return stem.utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "$") } ? nil : String(stem)
  }
}
