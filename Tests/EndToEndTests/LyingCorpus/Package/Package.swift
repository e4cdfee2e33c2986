// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Lies",
  targets: [
    .plugin(name: "Snoop", capability: .buildTool()),
    .target(name: "CLies"),
    .target(name: "Lies", dependencies: ["CLies"], plugins: ["Snoop"]),
    .testTarget(name: "XLies", dependencies: ["Lies", "CLies"]),
    .testTarget(name: "YLies", dependencies: ["Lies"]),
    .testTarget(name: "SLies", dependencies: ["Lies", "CLies"]),
  ])
