/// Those of the arguments of a build that decide what its dependencies are, and how and from where they are fetched.
///
/// What is resolved without them is not what the build will ask for; it may even mend what the build was to refuse, as a
/// `Package.resolved` that is out of date.
struct ResolvingArguments {
  private static let flags: Set<String> = [
    "--force-resolved-versions", "--disable-automatic-resolution", "--only-use-versions-from-resolved-file",
    "--skip-update", "--enable-prefetching", "--disable-prefetching", "--disable-scm-to-registry-transformation",
    "--use-registry-identity-for-scm", "--replace-scm-with-registry", "--experimental-prune-unused-dependencies",
    "--enable-all-traits", "--disable-default-traits", "--netrc", "--enable-netrc", "--disable-netrc",
    "--enable-keychain", "--disable-keychain", "--enable-signature-validation", "--disable-signature-validation",
    "--enable-dependency-cache", "--disable-dependency-cache", "--enable-experimental-prebuilts",
    "--disable-experimental-prebuilts", "--disable-package-manifest-caching", "--experimental-xcframeworks-on-linux",
  ]
  private static let options: Set<String> = [
    "--traits", "--netrc-file", "--config-path", "--security-path", "--cache-path", "--default-registry-url",
    "--resolver-fingerprint-checking", "--resolver-signing-entity-checking", "--manifest-cache", "--toolchain",
    "--package-manager-resources-directory", "--multiroot-data-file", "--experimental-prebuilts-download-url",
    "--experimental-prebuilts-root-cert", "-Xbuild-tools-swiftc", "-Xmanifest",
  ]
  /// Options of the build alone: the word behind one is its value, whatever it looks like.
  private static let others: Set<String> = [
    "-Xcc", "-Xswiftc", "-Xlinker", "-Xcxx", "-Xxcbuild", "-c", "--configuration", "-j", "--jobs", "--target",
    "--product", "--triple", "--sdk", "--arch", "--swift-sdk", "--experimental-swift-sdk", "--swift-sdks-path",
    "--experimental-swift-sdks-path", "--destination", "--toolset", "--pkg-config-path", "--sanitize",
    "--explicit-target-dependency-import-check", "--build-system", "-debug-info-format", "--package-path",
    "--scratch-path", "--build-path", "--experimental-test-entry-point-path", "--experimental-lto-mode",
  ]

  /// In their order, with their values; `swift package` takes all of them.
  let words: [String]

  /// - Parameter arguments: those of `swift build`.
  init(of arguments: [String]) {
    var found: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      let name = word.prefix { $0 != "=" }
      let isWhole = name.endIndex == word.endIndex
      if isWhole, Self.flags.contains(word) {
        found.append(word)
      } else if Self.options.contains(String(name)) {
        found += isWhole ? [word] + rest.prefix(1) : [word]
        if isWhole { rest = rest.dropFirst() }
      } else if isWhole, Self.others.contains(word) {
        rest = rest.dropFirst()
      }
    }
    words = found
  }
}
