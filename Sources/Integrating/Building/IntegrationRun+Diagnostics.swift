import Model
import Parsing

extension IntegrationRun {
  /// Merges what a build printed with what the compiler left in files, including warnings about unchanged sources.
  func diagnostics(printed: [Diagnostic], buildFailed: Bool) -> [Diagnostic] {
    let folder = packageFolder
    // SwiftPM names a package after its folder.
    let identity = folder.path.split(separator: "/").last.map(String.init)
    let merge = DiagnosticMerge(buildFailed: buildFailed, identity: identity) { file in
      file.hasPrefix("/") || folder.holds(file)
    }
    var room = DiagnosticRoom()
    let serialized = serializedDiagnostics(within: &room)
    let found = merge.merged(serialized: serialized, printed: printed) + room.rest
    for diagnostic in found where diagnostic.severity == .error { integrator.progress(.diagnostic(diagnostic)) }
    return found
  }

  /// Reads the `.dia` files of all modules; an unreadable one adds nothing, since the build log says the same.
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
