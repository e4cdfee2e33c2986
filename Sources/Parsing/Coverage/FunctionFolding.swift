import Model

/// Puts the functions of a file together as a reader of the source sees them: closures, autoclosures, default arguments
/// and initial values inside the declaration that holds them, accessors as one property.
struct FunctionFolding {
  /// One declaration and the functions that the compiler made of it.
  private struct Declaration {
    var name: String
    /// What the mangled names of everything in it begin with.
    var stem: Substring
    var members: [Member] = []
  }

  private struct Member {
    var code: FunctionCode
    var name: String
    var role: FunctionName.Role
  }

  private var declarations: [Declaration] = []
  /// Several when overloads share a readable name.
  private var indices: [String: [Int]] = [:]

  /// - Returns: the declarations, ordered by position.
  static func fold(_ functions: [FunctionCode], demangled: [String: String]) -> [FunctionCoverage] {
    var folding = FunctionFolding()
    var pieces: [(Member, String)] = []
    for code in functions {
      let name = demangled[code.symbol] ?? code.symbol
      let parts = FunctionName(name)
      let member = Member(code: code, name: name, role: parts.role)
      if parts.role == .piece {
        pieces.append((member, parts.declaration))
      } else {
        folding.add(member, to: parts.declaration)
      }
    }
    // Only now are all declarations known.
    for (member, declaration) in pieces { folding.addPiece(member, to: declaration) }
    return folding.declarations.map(Self.coverage).sorted { one, other in
      (one.regions.first?.start ?? none, one.symbol) < (other.regions.first?.start ?? none, other.symbol)
    }
  }

  private static let none = SourcePosition(line: 0, column: 0)

  private mutating func add(_ member: Member, to name: String) {
    let stem = Self.stem(of: member)
    if member.role != .function, let index = indices[name]?.first(where: { declarations[$0].stem == stem }) {
      declarations[index].members.append(member)
    } else {
      append(Declaration(name: name, stem: stem, members: [member]))
    }
  }

  private mutating func addPiece(_ member: Member, to name: String) {
    let candidates = indices[name] ?? []
    let holder = candidates.filter { member.code.symbol.utf8.starts(with: declarations[$0].stem.utf8) }
      .max { declarations[$0].stem.utf8.count < declarations[$1].stem.utf8.count }
    if let index = holder ?? candidates.first {
      declarations[index].members.append(member)
    } else {
      append(Declaration(name: name, stem: "", members: [member]))
    }
  }

  private mutating func append(_ declaration: Declaration) {
    indices[declaration.name, default: []].append(declarations.count)
    declarations.append(declaration)
  }

  /// The mangled name without what tells the accessors of a property apart
  /// (https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst#entities).
  private static func stem(of member: Member) -> Substring {
    var stem = member.code.symbol[...]
    func drop(_ suffix: String) {
      if stem.hasSuffix(suffix) { stem = stem.dropLast(suffix.count) }
    }
    switch member.role {
    case .function, .piece: break
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
    // The one that was called most: then the declaration was never called when its leader was not.
    let leader = members.indices.filter { members[$0].role == rank }
      .max { (members[$0].code.count, $1) < (members[$1].code.count, $0) }
    // Without a function, accessor or value of its own, a declaration is known by its pieces only.
    let folded = members.indices.filter { rank == .piece || $0 != leader }.map { members[$0] }
    let regions = members.flatMap(\.code.regions)
    let accessors = rank == .accessor ? Set(leaders.compactMap { FunctionName.accessor(of: $0.name) }) : []
    var function = FunctionCoverage(
      name: FunctionName.spelled(declaration.name, accessors: accessors), symbol: leaders.first?.code.symbol ?? "",
      count: leaders.map(\.code.count).max() ?? 0,
      regions: regions.sorted { ($0.start, $0.end) < ($1.start, $1.end) },
      folded: folded.map { FunctionCoverage.Folded(FunctionName.kind(of: $0.name, $0.role), count: $0.code.count) })
    function.isOnlyFolded = rank == .piece
    return function
  }
}
