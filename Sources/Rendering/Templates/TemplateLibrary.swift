/// All templates of a site, each read once.
package struct TemplateLibrary: Sendable {
  /// What happens to names that the data or the library does not know.
  package enum Mode: Sendable {
    /// They are errors, and so is text that a template wants to put in unescaped.
    case strict
    /// They are blank, as the specification of Mustache says: https://github.com/mustache/spec
    case lenient
  }

  private var templates: [String: Template] = [:]
  /// Stands for the texts of all templates.
  private(set) var key = PageHash(PageHash.Seed(0, 0)).key

  /// Reads templates from texts, given by name.
  package init(sources: [String: String]) throws(TemplateError) {
    for (name, text) in sources.sorted(by: { $0.key < $1.key }) {
      templates[name] = try Template(name: name, origin: name, bytes: Array(text.utf8))
    }
    updateKey()
  }

  /// Reads every template in a folder and the folders below it.
  ///
  /// A template's name is its path relative to the folder, without the ending. Hidden files are left out.
  package init(folder: String, extension ending: String = "mustache") throws(TemplateError) {
    for file in try TemplateFolder(path: folder, ending: ending).files() {
      templates[file.name] = try Template(name: file.name, origin: file.path, bytes: file.bytes)
    }
    updateKey()
  }

  /// Returns this library with the templates of a folder added, each in place of the one with its name.
  package func overlaid(by folder: String) throws(TemplateError) -> TemplateLibrary {
    var library = self
    library.templates.merge(try TemplateLibrary(folder: folder).templates) { _, own in own }
    library.updateKey()
    return library
  }

  /// The shapes that a webhook's `template` may name, sorted.
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
  /// - Parameter escaping: what two braces do to a text, which depends on the format that is rendered.
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

  /// The template of a name.
  subscript(name: String) -> Template? { templates[name] }

  /// What to do about a template that is not there.
  func advice(for name: String) -> String {
    KnownNames("Known templates", templates.keys).advice(for: name)
  }
}
