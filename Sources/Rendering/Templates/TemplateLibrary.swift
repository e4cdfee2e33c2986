import Glibc
import Model

/// All templates of a site, each parsed once.
package struct TemplateLibrary: Sendable {
  /// The treatment of names that the data or the library does not know.
  package enum Mode: Sendable {
    /// Unknown names are errors, as is text that a template inserts unescaped.
    case strict
    /// Unknown names are blank, as specified by Mustache: https://github.com/mustache/spec
    case lenient
  }

  private var templates: [String: Template] = [:]
  /// A key for the texts of all templates.
  private(set) var key = PageHash(PageHash.Seed(0, 0)).key

  /// Reads templates from texts, given by name.
  package init(sources: [String: String]) throws(TemplateError) {
    for (name, text) in sources.sorted(by: { $0.key < $1.key }) {
      templates[name] = try Template(origin: name, bytes: Array(text.utf8))
    }
    updateKey()
  }

  /// Reads every template in a folder and its subfolders.
  ///
  /// A template's name is its path relative to the folder, without the extension. Hidden files are skipped.
  package init(folder: String, extension ending: String = "mustache") throws(TemplateError) {
    for file in try TemplateFolder(path: folder, ending: ending).files() {
      templates[file.name] = try Template(origin: file.path, bytes: file.bytes)
    }
    updateKey()
  }

  /// Returns this library with the templates of a folder, which replace those of the same name.
  package func overlaid(by folder: String) throws(TemplateError) -> TemplateLibrary {
    var library = self
    library.templates.merge(try TemplateLibrary(folder: folder).templates) { _, own in own }
    library.updateKey()
    return library
  }

  /// The names allowed for a webhook's `template`, sorted.
  package var webhookShapes: [String] {
    templates.keys.compactMap { name in
      guard name.hasPrefix("webhook/"), name.hasSuffix(".json") else { return nil }
      return String(name.dropFirst("webhook/".count).dropLast(".json".count))
    }.sorted()
  }

  private mutating func updateKey() {
    var hash = PageHash(PageHash.Seed(0, 0))
    for (name, template) in templates.sorted(by: { $0.key < $1.key }) {
      hash.combine(name)
      hash.combine(template.bytes)
    }
    key = hash.key
  }

  /// Renders a template to UTF-8.
  ///
  /// - Parameter escaping: the escaping of texts in double braces, which depends on the output format.
  package func render(
    _ name: String, _ data: TemplateValue, mode: Mode = .strict, escaping: TemplateEscaping = .html
  ) throws(TemplateError) -> [UInt8] {
    guard let template = templates[name] else {
      throw TemplateError(file: name, reason: "there is no template of this name", advice: advice(for: name))
    }
    var renderer = TemplateRenderer(library: self, template: template, data: data, mode: mode)
    renderer.escaping = escaping
    return try renderer.render()
  }

  subscript(name: String) -> Template? { templates[name] }

  /// Returns advice about a missing template.
  func advice(for name: String) -> String {
    KnownNames("Known templates", templates.keys).advice(for: name)
  }
}

struct TemplateFolder {
  /// The folder, without a trailing slash.
  private let path: String
  /// The extension of template files, with the dot.
  private let ending: String

  struct File {
    var name: String
    var path: String
    var bytes: [UInt8]
  }

  /// The maximum nesting depth of folders.
  private static let depthLimit = 32

  init(path: String, ending: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    self.ending = "." + ending
  }

  /// Reads all template files, in name order.
  func files() throws(TemplateError) -> [File] {
    var names: [String] = []
    try collect(below: "", depth: 0, into: &names)
    if names.isEmpty {
      throw TemplateError(
        file: path, reason: "the folder holds no file that ends in \(ending)",
        advice: "Name a folder with templates in it.")
    }
    var files: [File] = []
    for name in names.sorted() {
      let file = "\(path)/\(name)\(ending)"
      files.append(File(name: name, path: file, bytes: try Self.read(file)))
    }
    return files
  }

  /// Adds the names of the templates in a folder and its subfolders; links to folders are not followed.
  private func collect(below parent: String, depth: Int, into names: inout [String]) throws(TemplateError) {
    let folder = parent.isEmpty ? path : "\(path)/\(parent)"
    guard depth < Self.depthLimit else {
      throw TemplateError(
        file: folder, reason: "the folders lie more than \(Self.depthLimit) deep in each other",
        advice: "Name a folder that holds only templates.")
    }
    for entry in try Self.entries(of: folder) where !entry.hasPrefix(".") {
      let name = parent.isEmpty ? entry : "\(parent)/\(entry)"
      var status = stat()
      let isFolder = lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      if isFolder {
        try collect(below: name, depth: depth + 1, into: &names)
      } else if name.hasSuffix(ending) {
        names.append(String(name.dropLast(ending.count)))
      }
    }
  }

  private static func entries(of folder: String) throws(TemplateError) -> [String] {
    guard let stream = opendir(folder) else {
      throw TemplateError(
        file: folder, reason: "the folder cannot be read: \(SystemReason.words(of: errno))",
        advice: "Name a folder that exists and that this user may read.")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names
  }

  /// Reads a whole file, without any byte order mark.
  private static func read(_ path: String) throws(TemplateError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, SystemReason.words(of: errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, SystemReason.words(of: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable(path, "it is not a regular file") }
    var bytes: [UInt8] = []
    // One byte more than the size of the file, so that the second read finds its end.
    var chunk = [UInt8](repeating: 0, count: min(Int(status.st_size) + 1, 1 << 16))
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path, SystemReason.words(of: errno)) }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    try validate(bytes, path: path)
    return bytes
  }

  private static func unreadable(_ path: String, _ why: String) -> TemplateError {
    TemplateError(
      file: path, reason: "the file cannot be read: \(why)",
      advice: "Make it a file that this user may read, or take it out of the folder.")
  }

  private static func validate(_ bytes: [UInt8], path: String) throws(TemplateError) {
    if String(validating: bytes, as: UTF8.self) != nil { return }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .emptyInput: return
      case .error:
        throw TemplateError(
          file: path, position: TemplateError.Position(offset: offset, in: bytes),
          reason: "the file is not valid UTF-8 from here on", advice: "Save the file in UTF-8.")
      }
    }
  }
}

/// The known names, for messages about an unknown one.
struct KnownNames {
  /// The kind of names, such as `Known templates`.
  let title: String
  let names: [String]

  /// - Parameter names: the names, in any order.
  init(_ title: String, _ names: some Collection<String>) {
    self.title = title
    self.names = names.sorted()
  }

  /// Returns the name that was probably meant, otherwise all names, cut if there are many.
  func advice(for name: String) -> String {
    if let nearest = EditDistance.nearest(to: name, among: names).first { return "Did you mean \"\(nearest)\"?" }
    if names.isEmpty { return "\(title): none." }
    let rest = names.count > 12 ? " and \(names.count - 12) more" : ""
    return "\(title): \(names.prefix(12).joined(separator: ", "))\(rest)."
  }
}
