import Model

/// Follows links in a tree of files, without leaving the tree.
struct LinkWay {
  enum Node {
    case file, folder, submodule
    case link(String)
  }

  /// Linux follows no more.
  private static let mostLinks = 40
  /// What is known to be at a path; folders are asked for again and again.
  private var known: [String: Node?] = [:]

  /// - Parameter look: what is at a path of which no folder is a link; nil for nothing.
  mutating func place(of path: String, _ look: (String) throws(GitError) -> Node?) throws(GitError) -> TreePlace {
    var waiting = Self.components(path)
    var passed: [String] = []
    var links = 0
    while let name = waiting.popLast() {
      if name == "." { continue }
      if name == ".." {
        if passed.popLast() == nil { return .astray }
        continue
      }
      passed.append(name)
      let place = passed.joined(separator: "/")
      switch try node(at: place, look) {
      case .folder: continue
      case .file where waiting.isEmpty: return .file(place)
      case nil, .file: return links == 0 ? .nothing : .astray
      case .submodule: return .file((passed + waiting.reversed()).joined(separator: "/"))
      case .link(let target):
        links += 1
        if links > Self.mostLinks || target.hasPrefix("/") || target.isEmpty { return .astray }
        passed.removeLast()
        waiting += Self.components(target)
      }
    }
    return links == 0 ? .nothing : .astray
  }

  /// The last one first.
  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").reversed().map(String.init)
  }

  private mutating func node(at path: String, _ look: (String) throws(GitError) -> Node?) throws(GitError) -> Node? {
    if let node = known[path] { return node }
    let node = try look(path)
    known[path] = .some(node)
    return node
  }
}
