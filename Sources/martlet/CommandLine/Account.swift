import Glibc

/// The user who runs the program, and the machine on which it runs.
enum Account {
  /// The name of the user, or the user ID if the machine has no name for it.
  static var user: String {
    guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return "user \(getuid())" }
    return String(cString: name)
  }

  static var host: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "localhost" }
    return withUnsafeBytes(of: names.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
