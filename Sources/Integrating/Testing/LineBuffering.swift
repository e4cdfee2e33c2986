import Glibc

/// Makes programs hand over each line when it is printed, where they would keep what goes into a pipe until much has
/// come together: what a test printed before it crashed or hung would be lost.
///
/// The library is the one that `stdbuf` of the GNU coreutils preloads
/// (https://www.gnu.org/software/coreutils/manual/html_node/stdbuf-invocation.html). Without it nothing but those lines
/// is missing.
enum LineBuffering {
  private static let places = [
    "/usr/libexec/coreutils/libstdbuf.so", "/usr/lib/coreutils/libstdbuf.so", "/usr/lib64/coreutils/libstdbuf.so",
  ]

  /// The variables that a program is to be given.
  static let environment: [String: String] = {
    guard let library = places.first(where: { access($0, R_OK) == 0 }) else { return [:] }
    return ["LD_PRELOAD": library, "_STDBUF_O": "L"]
  }()
}
