/// The import of a module on which a target does not depend: whether it is there depends on what is compiled first.
package struct UndeclaredImport: Hashable, Codable, Sendable {
  /// The name of the module that imports.
  package var module: String
  /// The name of what it imports.
  package var imported: String

  package init(module: String, imported: String) {
    self.module = module
    self.imported = imported
  }
}

extension BuildPlan {
  /// Returns the imports of modules that the plan may make later than what imports them.
  ///
  /// - Parameters:
  ///   - isWanted: tells of which tasks.
  ///   - filesRead: returns the paths of the files that the compiler read for a task.
  package func undeclaredImports(
    by isWanted: (Task) -> Bool, filesRead: (Task) -> [String]
  ) -> [UndeclaredImport] {
    let makers = Dictionary(tasks.indices.flatMap { task in tasks[task].outputs.map { ($0, task) } }) { first, _ in
      first
    }
    let compilers = makers.filter { tasks[$1].module == $0 }
    var loaded: [Int: [Int]] = [:]
    func modulesLoaded(by task: Int) -> [Int] {
      guard tasks[task].module != nil else { return [] }
      let found = loaded[task] ?? filesRead(tasks[task]).compactMap { compilers[$0] }
      loaded[task] = found
      return found
    }
    func imports(of task: Int) -> Set<UndeclaredImport> {
      // Libraries and generated sources lead to modules, too. What another module imports without depending on it is that
      // one's mistake.
      var (allowed, open): (Set<Int>, [Int]) = ([task], [task])
      while let next = open.popLast() {
        let more = tasks[next].inputs.compactMap { makers[$0] } + (next == task ? [] : modulesLoaded(by: next))
        for found in more where allowed.insert(found).inserted { open.append(found) }
      }
      let others = Set(modulesLoaded(by: task)).subtracting(allowed)
      // Whoever depends on the others may import these as well.
      let indirect = Set(others.flatMap { modulesLoaded(by: $0) })
      return Set(
        others.subtracting(indirect).compactMap { other in
          guard let module = tasks[task].moduleName, let imported = tasks[other].moduleName else { return nil }
          return UndeclaredImport(module: module, imported: imported)
        })
    }
    let wanted = Set(compilers.values).filter { isWanted(tasks[$0]) }
    return wanted.reduce(into: Set()) { $0.formUnion(imports(of: $1)) }
      .sorted { ($0.module, $0.imported) < ($1.module, $1.imported) }
  }
}
