import Foundation
import PackagePlugin

/// Carries out the attempts that the commit has for plugins, and leaves those for commands of the build to one.
@main struct Ram: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    let folder = context.package.directoryURL
    let attempts = try String(contentsOf: folder.appending(path: "Attacks.txt"), encoding: .utf8)
    // What a plugin or a command prints is shown only when it fails.
    let said = context.pluginWorkDirectoryURL.appending(path: "said.txt").path
    if attempts.contains("plugin ") {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["python3", folder.appending(path: "payloads.py").path, "plugin", said]
      try process.run()
      process.waitUntilExit()
    }
    guard attempts.contains("command ") else { return [] }
    return [
      .prebuildCommand(
        displayName: "Ram", executable: URL(filePath: "/usr/bin/env"),
        arguments: ["python3", folder.appending(path: "payloads.py").path, "command", said],
        outputFilesDirectory: context.pluginWorkDirectoryURL.appending(path: "out"))
    ]
  }
}
