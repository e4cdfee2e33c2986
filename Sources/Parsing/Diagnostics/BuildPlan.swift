import FoundationEssentials

/// What SwiftPM's own build system plans to run: the tasks of a package, with what they read and make.
///
/// The file is internal to SwiftPM; its format is that of llbuild
/// (https://github.com/swiftlang/swift-llbuild/blob/main/docs/buildsystem.rst), written by `LLBuildManifestWriter`.
package struct BuildPlan {
  /// What printed a message during a build.
  package enum Printer: Hashable, Sendable {
    case packageManager
    /// The package manager when it resolved the dependencies.
    case resolution
    /// A task by its name in the progress, and the source that it compiled if it is a C compiler; nil if unknown.
    case task(String?, source: String?)
  }

  /// Something that the build system runs, or writes by itself.
  package struct Task: Hashable, Sendable {
    /// The absolute paths of the files and folders that it reads and makes.
    package var inputs: [String] = []
    package var outputs: [String] = []
    /// The programs that expand macros for it.
    package var macros: Set<String> = []

    /// The path of the Swift module that it compiles; nil if it compiles none.
    package var module: String? {
      outputs.contains { $0.hasSuffix(".o") } ? outputs.first { $0.hasSuffix(Self.moduleSuffix) } : nil
    }
    /// The name of that module, which a target's tools share with the target.
    package var moduleName: String? {
      module?.split(separator: "/").last.map { String($0.dropLast(Self.moduleSuffix.count)) }
    }
    /// The name of the folder of its object files, such as `Kit.build`; nil if it makes none.
    package var folder: String? {
      outputs.first { $0.hasSuffix(".o") }?.split(separator: "/").last { $0.hasSuffix(".build") }.map(String.init)
    }

    private static let moduleSuffix = ".swiftmodule"
  }

  package private(set) var tasks: [Task] = []
  /// The path of the file, which is written anew whenever SwiftPM plans.
  let file: String
  private var madeFiles: Set<String> = []
  private var filesByTask: [String: String] = [:]
  private var filesBySource: [String: String] = [:]
  /// The folders of the package's targets, each with a slash at the end.
  private var folders: Set<String> = []

  /// Reads a plan; lines of an unknown form are passed over.
  ///
  /// - Parameter file: the absolute path that it was read from.
  package init(_ bytes: [UInt8], at file: String) {
    self.file = file
    var (tool, task) = ("", Task())
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if let value = Self.value("tool", in: line) {
        tasks.append(task)
        (tool, task) = (String(decoding: value, as: UTF8.self), Task())
      } else if let value = Self.value("inputs", in: line) {
        task.inputs = Self.texts(value)
      } else if let value = Self.value("outputs", in: line) {
        task.outputs = Self.texts(value)
      } else if let value = Self.value("description", in: line), let made = task.outputs.first {
        add(made, by: Self.texts([UInt8(ascii: "[")] + value + [UInt8(ascii: "]")]).first)
        if tool == "clang", let source = task.inputs.first { filesBySource[source] = made }
        if tool == "package-structure-tool" { folders = Set(task.inputs.filter { $0.hasSuffix("/") }) }
      } else if let value = Self.value("args", in: line) {
        task.macros = Self.macros(in: value)
      }
    }
    tasks.append(task)
  }

  /// Whether it compiles C or one of its relatives.
  package var compilesC: Bool { !filesBySource.isEmpty }

  /// The names of the modules that consist of C or one of its relatives, by the folders that SwiftPM builds them in.
  package var modulesOfC: Set<String> {
    let compiled = Set(filesBySource.values)
    let tasks = tasks.filter { !compiled.isDisjoint(with: $0.outputs) }
    let names = tasks.compactMap { $0.folder?.dropLast(".build".count) }
    // What tools contain is built apart; no name of a module has a hyphen.
    return Set(names.map { String($0.hasSuffix("-tool") ? $0.dropLast("-tool".count) : $0) })
  }

  /// The programs that expand macros.
  package var macros: Set<String> { tasks.reduce(into: []) { $0.formUnion($1.macros) } }

  /// Returns the programs that expand macros: the option's value is a path, and behind it the modules of the macros.
  private static func macros(in arguments: ArraySlice<UInt8>) -> Set<String> {
    let option = Array("\"-load-plugin-executable\"".utf8)
    guard arguments.firstRange(of: option) != nil else { return [] }
    // The driver hands such options on.
    let words = texts(arguments).filter { $0 != "-Xfrontend" }
    return Set(
      zip(words, words.dropFirst()).filter { $0.0 == "-load-plugin-executable" }.compactMap { _, value in
        value.lastIndex(of: "#").map { String(value[..<$0]) }
      })
  }

  private mutating func add(_ made: String, by description: String?) {
    madeFiles.insert(made)
    guard let name = description.map(Self.shown), filesByTask[name] == nil else { return }
    filesByTask[name] = made
  }

  private static func value(_ key: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let head = "    \(key): ".utf8
    return line.starts(with: head) ? line.dropFirst(head.count) : nil
  }

  /// Reads a list of texts in quotes. Those of a large package are long, and hardly any text has an escape in it.
  private static func texts(_ list: ArraySlice<UInt8>) -> [String] {
    if list.contains(UInt8(ascii: "\\")) { return (try? JSONDecoder().decode([String].self, from: Data(list))) ?? [] }
    let pieces = list.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    return stride(from: 1, to: pieces.count - 1, by: 2).map { String(decoding: pieces[$0], as: UTF8.self) }
  }

  /// Returns a task's name in the progress, which leaves out the folders of what it names.
  private static func shown(_ description: String) -> String {
    guard let space = description.firstIndex(of: " "), let slash = description.lastIndex(of: "/"), space < slash else {
      return description
    }
    return "\(description[..<space]) \(description[slash...].dropFirst())"
  }

  /// Returns a file that is written anew whenever a task runs; nil if the plan does not have the task.
  func file(madeBy task: String?, compiling source: String?) -> String? {
    source.flatMap { filesBySource[$0] } ?? task.flatMap { filesByTask[$0] }
  }

  /// Whether a task makes a file, or a folder is that of a target.
  func names(_ path: String) -> Bool { path == file || madeFiles.contains(path) || folders.contains(path) }

  /// Returns the folder of the target that a file belongs to.
  ///
  /// - Parameter path: a path relative to the package.
  func folder(of path: String) -> String? {
    let parts = path.split(separator: "/").dropLast()
    return parts.indices.reversed().lazy
      .map { end in "/" + parts[...end].joined(separator: "/") + "/" }
      .compactMap { end in folders.first { $0.hasSuffix(end) } }.first
  }
}
