package import Model

extension PackageModel {
  private static let input = "the output of swift package describe"

  /// Reads the output of `swift package describe --type json`.
  package static func read(_ bytes: [UInt8]) throws -> PackageModel {
    var scanner = JSONScanner(bytes, input: input)
    var name: String?
    var targets: [Target]?
    var products: [Product] = []
    var dependencyCount = 0
    try scanner.readObject { scanner, key in
      switch key {
      case "name": name = try scanner.readString()
      case "targets":
        var list: [Target] = []
        try scanner.readArray { scanner in list.append(try readTarget(&scanner)) }
        targets = list
      case "products":
        try scanner.readArray { scanner in products.append(try readProduct(&scanner)) }
      case "dependencies":
        try scanner.readArray { scanner in
          try scanner.skipValue()
          dependencyCount += 1
        }
      default: try scanner.skipValue()
      }
    }
    try scanner.finish()
    guard let name else { throw ParsingError(input, reason: "the package has no name") }
    guard let targets else { throw ParsingError(input, reason: "the package \(name) has no list of targets") }
    return PackageModel(name: name, targets: targets, products: products, dependencyCount: dependencyCount)
  }

  private static func readProduct(_ scanner: inout JSONScanner) throws -> Product {
    let start = scanner.position
    var name: String?
    var kind = Product.Kind.other
    var targets: [String] = []
    try scanner.readObject { scanner, key in
      switch key {
      case "name": name = try scanner.readString()
      case "targets": try scanner.readArray { scanner in targets.append(try scanner.readString()) }
      case "type":
        try scanner.readObject { scanner, type in
          switch type {
          case "executable":
            kind = .executable
            try scanner.skipValue()
          case "library":
            try scanner.readArray { scanner in
              kind = ["dynamic": .dynamicLibrary, "static": .staticLibrary][try scanner.readString()] ?? .other
            }
          default: try scanner.skipValue()
          }
        }
      default: try scanner.skipValue()
      }
    }
    guard let name else { throw scanner.error("a product has no name", at: start) }
    return Product(name: name, kind: kind, targets: targets)
  }

  private static func readTarget(_ scanner: inout JSONScanner) throws -> Target {
    let start = scanner.position
    var name: String?
    var module: String?
    var type: String?
    var path: String?
    var sources: [String] = []
    try scanner.readObject { scanner, key in
      switch key {
      case "name": name = try scanner.readString()
      case "c99name": module = try scanner.readString()
      case "type": type = try scanner.readString()
      case "path": path = try scanner.readString()
      case "sources": try scanner.readArray { scanner in sources.append(try scanner.readString()) }
      default: try scanner.skipValue()
      }
    }
    guard let name else { throw scanner.error("a target has no name", at: start) }
    guard let type else { throw scanner.error("the target \(name) has no type", at: start) }
    guard let path else { throw scanner.error("the target \(name) has no path", at: start) }
    return Target(name: name, module: module, type: type, path: path, sources: sources)
  }
}
