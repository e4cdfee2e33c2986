import Model
import Parsing

extension IntegrationRun {
  /// What a build printed, joined with what the compiler left in files, among them the warnings of unchanged sources.
  func diagnostics(printed: [Diagnostic], buildFailed: Bool) -> [Diagnostic] {
    let folder = packageFolder
    // SwiftPM calls a package by the name of its folder.
    let identity = folder.path.split(separator: "/").last.map(String.init)
    let merge = DiagnosticMerge(buildFailed: buildFailed, scratchFolder: "", identity: identity) { file in
      file.hasPrefix("/") || folder.holds(file)
    }
    var room = DiagnosticRoom()
    let serialized = serializedDiagnostics(within: &room)
    let found = merge.merged(serialized: serialized, printed: printed) + room.rest
    for diagnostic in found where diagnostic.severity == .error { integrator.progress(.diagnostic(diagnostic)) }
    return found
  }

  /// What the `.dia` files of all modules say; one that cannot be read adds nothing, since the build log says the same.
  private func serializedDiagnostics(within room: inout DiagnosticRoom) -> [Diagnostic] {
    let paths = paths
    var found: [Diagnostic] = []
    for (folder, name) in engine.diagnosticFiles {
      guard let bytes = folder.read(name) else { continue }
      let read = (try? SerializedDiagnostics.read(bytes, named: name) { paths.relative($0) }) ?? []
      found += read.compactMap { room.keep($0) }
    }
    return found
  }
}
