import Testing

@Suite("Rules for templates")
struct TemplateRulesTests {
  private func rules(_ template: String, _ code: String) -> [String] {
    TemplateRules(templates: [("a.mustache", template)], sources: [SwiftText(path: "Sources/A/A.swift", code)])
      .violations().map(\.description)
  }

  @Test("A value that no template shows is found with its place")
  func unshown() {
    #expect(
      rules("{{title}}", "let record = [\n\"title\": a, \"rest\": b]\nrecord[\"more\"] = c") == [
        "Sources/A/A.swift:2: no template shows 'rest'; leave it out of the record",
        "Sources/A/A.swift:3: no template shows 'more'; leave it out of the record",
      ])
  }

  @Test("A name that no page gives is found")
  func ungiven() {
    #expect(
      rules("{{#rows}}{{page.title}}{{/rows}}", "[\"rows\": a, \"title\": b]") == [
        "a.mustache: no page gives 'page', which the template asks for"
      ])
  }

  @Test(
    "Every way to look a name up counts, and the names of blocks and templates are their own",
    arguments: ["{{{a}}}", "{{&a}}", "{{# a }}{{/ a }}", "{{^a}}{{/a}}", "{{$b}}{{a}}{{/b}}{{>c}}{{<d}}{{/d}}"])
  func shown(template: String) {
    #expect(rules(template, "[\"a\": 1]") == [])
  }

  @Test("A list in an order has the order's name")
  func orders() {
    #expect(rules("{{#byName}}{{/byName}}", #"var key: String { "by\(rawValue)" }"#) == [])
    #expect(rules("{{#byName}}{{/byName}}", "").count == 1)
  }

  @Test("Every name that is excused is there")
  func excused() throws {
    for name in TemplateRules.excused.keys {
      let isThere = try House.sources().contains { $0.lines.contains { $0.contains("\"\(name)\"") } }
      #expect(isThere, "\(name) needs no exception")
    }
  }
}
