import Model

/// Which Swift sources of a package can name what others declare.
struct ModuleScopes {
  private var modules: [String: String] = [:]
  private var sources: [String: Set<String>] = [:]
  /// By module, the sources of all modules that import it, perhaps by way of others, and its own.
  private var users: [String: Set<String>] = [:]

  init(_ names: [String: SourceNames], in model: PackageModel) {
    for path in names.keys {
      guard let module = model.target(holding: path)?.module else { continue }
      modules[path] = module
      sources[module, default: []].insert(path)
    }
    // Whoever mentions a module may import it, and offer it to those who import him.
    let mentioned = sources.mapValues { paths in
      Set(sources.keys.filter { module in paths.contains { names[$0]?.lines[module] != nil } })
    }
    for module in sources.keys {
      var (found, open): (Set<String>, [String]) = ([module], [module])
      while let next = open.popLast() {
        let more = mentioned.filter { $1.contains(next) && !found.contains($0) }.keys
        found.formUnion(more)
        open += more
      }
      users[module] = found.reduce(into: []) { $0.formUnion(sources[$1] ?? []) }
    }
  }

  /// The compiler's name of the module that a source belongs to.
  func module(of path: String) -> String? { modules[path] }

  /// The sources of the module that a source belongs to.
  func sources(of path: String) -> Set<String> { modules[path].flatMap { sources[$0] } ?? [path] }

  /// The sources that can name what a source declares, unless it is private to that.
  func sources(naming path: String) -> Set<String> { modules[path].flatMap { users[$0] } ?? [path] }
}
