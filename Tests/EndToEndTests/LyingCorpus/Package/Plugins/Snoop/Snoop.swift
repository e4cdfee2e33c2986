import Foundation
import PackagePlugin

/// Does nothing for the build; reaches out of the sandbox by file and by network.
@main struct Snoop: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
    try? "x".write(toFile: "@SCRATCH@/by-plugin", atomically: false, encoding: .utf8)
    let door = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t("@PORT@").map(\.bigEndian) ?? 0
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(door, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    close(door)
    return []
  }
}
