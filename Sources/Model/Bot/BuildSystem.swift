/// The build system that SwiftPM uses; the raw value is SwiftPM's own name for it.
package enum BuildSystem: String, CaseIterable, Sendable, Codable {
  /// SwiftPM's own, the default up to Swift 6.3.
  case native
  /// Swift Build, the default from Swift 6.4 on.
  case swiftbuild
}
