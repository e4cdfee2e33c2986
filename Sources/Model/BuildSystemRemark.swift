/// What a build system says about itself rather than about the package, which is no warning.
package enum BuildSystemRemark {
  /// Swift Build links with an option that clang does not need for objects, and since Swift 6.4 SwiftPM advises against
  /// a build system that was requested.
  package static let beginnings = [
    "clang: warning: argument unused during compilation: '-rdynamic'",
    "warning: '--build-system native' has been deprecated",
  ]
}
