/// The accounts that a contained program sees: its own, root, and nobody.
enum Accounts {
  /// Returns the text of a password file (https://man7.org/linux/man-pages/man5/passwd.5.html).
  ///
  /// A home whose path would break the format is replaced with `/tmp`.
  static func file(user: UInt32, group: UInt32, home: String) -> String {
    let isPlain = !home.contains { $0 == ":" || $0.isNewline }
    let home = isPlain ? home : "/tmp"
    let own = user == 0 ? "root" : "martlet"
    var lines = ["\(own):x:\(user):\(group)::\(home):/bin/sh"]
    if user != 0 { lines.append("root:x:0:0::/:/bin/sh") }
    if user != 65534 { lines.append("nobody:x:65534:65534::/:/bin/sh") }
    return lines.map { $0 + "\n" }.joined()
  }
}
