package import Model

/// The result of a function, as far as another one can replace it.
package struct FunctionResult: Hashable, Sendable {
  /// The replacements for the body.
  package var replacements: [MutantCode]

  /// - Parameter function: the name of the function, taken apart.
  package static func of(_ function: DemangledNode) -> Result<FunctionResult, Refusal> {
    guard function.kind == "Global", function.children.count == 1, let entity = function.children.first else {
      return .failure(Refusal(.kind))
    }
    let declared = entity.kind == "Static" ? entity.children.first ?? entity : entity
    switch declared.kind {
    case "Function": return signature(declared)
    case "Getter": return getter(declared)
    case "Setter", "DidSet", "WillSet": return .success(FunctionResult(replacements: [.nothing]))
    case "Allocator", "Constructor": return .failure(Refusal(.initializer))
    default: return .failure(Refusal(.kind))
    }
  }

  /// The reason why nothing can replace the body.
  package struct Refusal: Error, Hashable {
    package var omission: MutationReport.Omission

    package init(_ omission: MutationReport.Omission) {
      self.omission = omission
    }
  }

  private static func signature(_ declared: DemangledNode) -> Result<FunctionResult, Refusal> {
    guard let type = functionType(in: declared) else { return .failure(Refusal(.kind)) }
    if type.child("AsyncAnnotation") != nil { return .failure(Refusal(.asynchronous)) }
    // A typed error may be returned in the same register as the result.
    if type.child("TypedThrowsAnnotation") != nil { return .failure(Refusal(.result)) }
    return result(type.child("ReturnType"))
  }

  private static func getter(_ declared: DemangledNode) -> Result<FunctionResult, Refusal> {
    guard let storage = declared.children.first else { return .failure(Refusal(.kind)) }
    if storage.kind == "Subscript" { return signature(storage) }
    return result(storage)
  }

  /// Returns the type of a function, skipping the parameters of a generic one.
  private static func functionType(in declared: DemangledNode) -> DemangledNode? {
    var type = declared.children.last { $0.kind == "Type" }?.children.first
    while type?.kind == "DependentGenericType" { type = type?.child("Type")?.children.first }
    return type?.kind == "FunctionType" ? type : nil
  }

  /// - Parameter holder: the node whose last type is the result's.
  private static func result(_ holder: DemangledNode?) -> Result<FunctionResult, Refusal> {
    guard let type = holder?.children.last(where: { $0.kind == "Type" })?.children.first else {
      return .failure(Refusal(.result))
    }
    let replacements = codes(for: type)
    return replacements.isEmpty ? .failure(Refusal(.result)) : .success(FunctionResult(replacements: replacements))
  }

  private static func codes(for type: DemangledNode) -> [MutantCode] {
    switch type.kind {
    case "Tuple": type.children.isEmpty ? [.nothing] : []
    case "Structure": type.standardName.map(codes(forStructure:)) ?? []
    case "BoundGenericStructure": type.children.first?.children.first?.standardName.map(codes(forStructure:)) ?? []
    case "BoundGenericEnum": codes(forEnum: type)
    default: []
    }
  }

  private static func codes(forStructure name: String) -> [MutantCode] {
    switch name {
    case "Swift.Bool": [.false, .true]
    case "Swift.Double", "Swift.Float": [.floatingZero]
    case "Swift.String": [.emptyString, .letter]
    case "Swift.Array": [.empty("_swiftEmptyArrayStorage", .emptyCollection)]
    case "Swift.Dictionary": [.empty("_swiftEmptyDictionarySingleton", .emptyDictionary)]
    case "Swift.Set": [.empty("_swiftEmptySetSingleton", .emptyCollection)]
    default: widths[name] == nil ? [] : [.zero, .one]
    }
  }

  /// The number of bits in fixed-width integers.
  private static let widths = [
    "Swift.Int": 64, "Swift.UInt": 64, "Swift.Int64": 64, "Swift.UInt64": 64, "Swift.Int32": 32, "Swift.UInt32": 32,
    "Swift.Int16": 16, "Swift.UInt16": 16, "Swift.Int8": 8, "Swift.UInt8": 8,
  ]

  private static func codes(forEnum type: DemangledNode) -> [MutantCode] {
    guard type.children.first?.children.first?.standardName == "Swift.Optional",
      let wrapped = type.child("TypeList")?.child("Type")?.children.first
    else { return [] }
    let name =
      wrapped.kind == "BoundGenericStructure"
      ? wrapped.children.first?.children.first?.standardName : wrapped.standardName
    switch wrapped.kind {
    case "Class", "BoundGenericClass": return [.noReference]
    case "FunctionType": return [.noPair]
    case "Structure", "BoundGenericStructure":
      switch name {
      case "Swift.Array", "Swift.Dictionary", "Swift.Set": return [.noReference]
      case "Swift.String", "Swift.Character": return [.noPair]
      case "Swift.Bool": return [.noBool]
      case "Swift.Double": return [.noWord]
      case "Swift.Float": return [.noPart(bits: 32)]
      default:
        guard let bits = name.flatMap({ widths[$0] }) else { return [] }
        return [bits == 64 ? .noWord : .noPart(bits: bits)]
      }
    default: return []
    }
  }
}
