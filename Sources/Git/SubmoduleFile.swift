/// The contents of a `.gitmodules` file; see https://git-scm.com/docs/gitmodules and the syntax in
/// https://git-scm.com/docs/git-config#_syntax.
///
/// The file comes from a commit, so it is not trusted: it allows no includes and no names that lead out of a folder.
struct SubmoduleFile {
  struct Submodule: Hashable {
    var name: String
    var path = ""
    var url = ""
    /// Whether git leaves the submodule alone unless told otherwise.
    var isOptional = false
  }

  private(set) var submodules: [Submodule] = []

  init(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.hasPrefix("[") {
        if let name = SubmoduleFile.section(line) { submodules.append(Submodule(name: name)) }
        isInside = SubmoduleFile.section(line) != nil
      } else if isInside, let equals = line.firstIndex(of: "=") {
        let key = line[..<equals].filter { $0 != " " && $0 != "\t" }.lowercased()
        set(key, SubmoduleFile.value(line[line.index(after: equals)...]))
      }
    }
  }

  /// Returns the submodule at a path; the last one wins, as in git.
  func submodule(at path: String) -> Submodule? {
    submodules.last { $0.path == path }
  }

  private var isInside = false

  private mutating func set(_ key: String, _ value: String) {
    guard let last = submodules.indices.last else { return }
    switch key {
    case "path": submodules[last].path = value.hasSuffix("/") ? String(value.dropLast()) : value
    case "url": submodules[last].url = value
    case "update": submodules[last].isOptional = value.lowercased() == "none"
    default: break
    }
  }

  /// Returns the name in `[submodule "name"]`; nil for other sections and for names that could lead elsewhere.
  private static func section(_ line: Substring) -> String? {
    guard let open = line.firstIndex(of: "\""), let close = line.lastIndex(of: "\""), open < close else { return nil }
    let kind = line[..<open].dropFirst().filter { $0 != " " && $0 != "\t" }
    guard kind.lowercased() == "submodule" else { return nil }
    let name = unescaped(line[line.index(after: open)..<close])
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return name.isEmpty || parts.contains("..") || name.utf8.contains(0) ? nil : name
  }

  /// Returns a value without its comment, its quotes and surrounding spaces.
  private static func value(_ text: Substring) -> String {
    var value = ""
    var spaces = ""
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if isEscaped {
        value += spaces + String(character)
        (spaces, isEscaped) = ("", false)
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted, character == "#" || character == ";" {
        break
      } else if !isQuoted, character == " " || character == "\t" {
        spaces += value.isEmpty ? "" : String(character)
      } else {
        value += spaces + String(character)
        spaces = ""
      }
    }
    return value
  }

  private static func unescaped(_ text: Substring) -> String {
    var isEscaped = false
    return String(
      text.filter { character in
        isEscaped = character == "\\" && !isEscaped
        return !isEscaped
      })
  }
}

/// Repository URLs that refer to a folder on this machine; see https://git-scm.com/docs/git-clone#_git_urls.
enum LocalURL {
  /// Returns the absolute path that a URL names, without dots, or nil if it refers to another machine.
  static func path(_ url: String) -> String? {
    let path = url.hasPrefix("file://") ? String(url.dropFirst(7)) : url
    return path.hasPrefix("/") ? resolve(path, against: "/") : nil
  }

  /// Returns whether a submodule's URL is relative to the location of its superproject.
  static func isRelative(_ url: String) -> Bool {
    url.hasPrefix("./") || url.hasPrefix("../")
  }

  /// Resolves a relative URL to a path. A superproject's own path counts as a folder.
  static func resolve(_ url: String, against base: String) -> String {
    var parts = base.split(separator: "/").map(String.init)
    for part in url.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    return "/" + parts.joined(separator: "/")
  }
}
