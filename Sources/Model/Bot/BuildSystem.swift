/// What SwiftPM builds with; the raw value is its own word.
package enum BuildSystem: String, CaseIterable, Sendable, Codable {
  /// SwiftPM's own, the default until Swift 6.3.
  case native
  /// Swift Build, the default from Swift 6.4 on.
  case swiftbuild
}
