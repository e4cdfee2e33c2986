import Glibc

/// Makes programs pass on each line when it is printed. Otherwise, they would buffer what goes into a pipe, and what a
/// test printed before it crashed or hung would be lost.
///
/// The library is the one that `stdbuf` of the GNU coreutils preloads
/// (https://www.gnu.org/software/coreutils/manual/html_node/stdbuf-invocation.html). Without it, nothing but those
/// lines is missing.
enum LineBuffering {
  private static let places = [
    "/usr/libexec/coreutils/libstdbuf.so", "/usr/lib/coreutils/libstdbuf.so", "/usr/lib64/coreutils/libstdbuf.so",
  ]

  static let environment: [String: String] = {
    guard let library = places.first(where: { access($0, R_OK) == 0 }) else { return [:] }
    return ["LD_PRELOAD": library, "_STDBUF_O": "L"]
  }()
}
