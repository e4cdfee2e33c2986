package import Model

/// The context in which a bot file's values are interpreted, without access to the file system.
package struct Surroundings: Sendable {
  /// The absolute path of the file's folder, to which relative paths refer.
  package var folder: String
  /// The user's home folder, represented by `~`; nil if there is none.
  package var home: String?
  /// The settings of the server, including the defaults of bots.
  package var settings = ServerSettings()
}

extension Surroundings {
  struct PathFailure: Error {
    var message: String
  }

  /// Makes a path absolute: `~` is the home folder, and a relative path refers to the file's folder.
  func absolute(_ path: String) throws(PathFailure) -> String {
    guard path.hasPrefix("~") else { return (path.hasPrefix("/") ? path : "\(folder)/\(path)").normalPath }
    guard path == "~" || path.hasPrefix("~/") else {
      throw PathFailure(message: "'\(path.shortened)' names another user's home; write the whole path")
    }
    guard let home, home.hasPrefix("/") else {
      throw PathFailure(message: "'\(path.shortened)' needs HOME, which is not set; write the whole path")
    }
    return "\(home)/\(path.dropFirst(2))".normalPath
  }
}

extension Field {
  /// Reads the path of a file or folder on this machine.
  func path(in surroundings: Surroundings, _ example: String, mayBeRelative: Bool = true) -> String? {
    guard let text = text("a path such as \(example)") else { return nil }
    if !mayBeRelative, !text.hasPrefix("/"), !text.hasPrefix("~") {
      return refuse("'\(text.shortened)' should be a whole path that begins with / or ~/, such as \(example)")
    }
    do {
      return try surroundings.absolute(text)
    } catch {
      return refuse(error.message)
    }
  }

  /// Reads the path of a repository, or its address on another machine.
  func repository(in surroundings: Surroundings) -> (path: String, remote: RemoteAddress?)? {
    guard let text = text("the path or address of a repository such as ~/git/Greeter.git") else { return nil }
    guard RemoteAddress.isMeant(by: text) else {
      return path(in: surroundings, "~/git/Greeter.git").map { ($0, nil) }
    }
    do {
      return (text, try RemoteAddress(text))
    } catch {
      findings.add(at: node.start, isSecret: error.isSecret, error.words)
      return nil
    }
  }

  /// Reads a path inside the repository or the package.
  func innerPath(_ example: String) -> String? {
    guard let text = text("a path inside the repository such as \(example)") else { return nil }
    let parts = text.split(separator: "/")
    if text.hasPrefix("/") || text.hasPrefix("~") || parts.contains("..") {
      return refuse("'\(text.shortened)' leads out of the repository; write a path inside it such as \(example)")
    }
    let kept = parts.filter { $0 != "." }
    return kept.isEmpty ? "." : kept.joined(separator: "/")
  }
}
