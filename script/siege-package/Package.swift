// swift-tools-version: 6.0
import Foundation
import PackageDescription

var settings: [SwiftSetting] = []
let package = Package(
  name: "Siege",
  targets: [
    .plugin(name: "Ram", capability: .buildTool()),
    .target(name: "Siege", swiftSettings: settings, plugins: ["Ram"]),
    .executableTarget(name: "app", dependencies: ["Siege"]),
    .testTarget(name: "SiegeTests", dependencies: ["Siege"]),
  ])
