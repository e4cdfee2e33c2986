import Rendering
import Testing

@Suite("Messages about templates")
struct TemplateErrorTests {
  @Test("An unknown name is shown in its line, with the name that was probably meant")
  func unknownName() {
    expect(
      "<html>\n  <h1>{{titel}}</h1>\n", ["title": "x"],
      """
      Template page:2:7: nothing in the data is called "titel".
          <h1>{{titel}}</h1>
              ^
      Did you mean "title"?
      """)
  }

  @Test("Where no known name is near, all of them are listed")
  func knownNames() {
    let expected = """
      Template page:1:23: nothing in the data is called "colour".
        {{#bots}}{{^branches}}{{&colour}}{{/branches}}{{/bots}}
                              ^
      Known here: bots, branches, name.
      """
    let data: TemplateValue = ["bots": [["name": "a", "branches": []]]]
    expect("{{#bots}}{{^branches}}{{&colour}}{{/branches}}{{/bots}}", data, expected)
    expect(
      "{{colour}}", [:],
      "Template page:1:1: nothing in the data is called \"colour\".\n  {{colour}}\n  ^\nKnown here: none.")
    let many = TemplateValue.record(Dictionary(uniqueKeysWithValues: (10..<30).map { ("n\($0)", .number($0)) }))
    expect(
      "{{colour}}", many,
      """
      Template page:1:1: nothing in the data is called "colour".
        {{colour}}
        ^
      Known here: n10, n11, n12, n13, n14, n15, n16, n17, n18, n19, n20, n21 and 8 more.
      """)
  }

  @Test("An unknown section is an error, whether it is inverted or not", arguments: ["#", "^"])
  func unknownSection(sigil: String) {
    expect(
      "a\r\n{{\(sigil)isues}}x{{/isues}}\r\n", ["issues": []],
      """
      Template page:2:1: nothing in the data is called "isues".
        {{\(sigil)isues}}x{{/isues}}
        ^
      Did you mean "issues"?
      """)
  }

  @Test("An unknown part of a dotted name is told from an unknown name")
  func dottedName() {
    expect(
      "{{a.b.cc}}", ["a": ["b": ["c": 1]]],
      """
      Template page:1:1: "a.b" has nothing called "cc".
        {{a.b.cc}}
        ^
      Did you mean "c"?
      """)
    expect(
      "{{a.b}}", ["a": [1]],
      """
      Template page:1:1: "a" is a list and has nothing called "b".
        {{a.b}}
        ^
      Use "a" itself, or make it a record.
      """)
  }

  @Test("An unknown partial is shown with the way that led to it")
  func unknownPartial() {
    let sources = [
      "page": "{{<layout}}{{$main}}\n  {{>parts/rwo}}\n{{/main}}{{/layout}}", "layout": "<b>{{$main}}{{/main}}",
      "parts/row": "",
    ]
    expect(
      sources, [:],
      """
      Template page:2:3: there is no template called "parts/rwo".
          {{>parts/rwo}}
          ^
        included from layout:1:4
        included from page:1:1
      Did you mean "parts/row"?
      """)
  }

  @Test("Text is not put in unescaped")
  func unescapedText() {
    for tag in ["{{{a}}}", "{{&a}}"] {
      expect(
        tag, ["a": "<b>"],
        """
        Template page:1:1: "a" is a text, and only values typed as safe HTML may be put in unescaped.
          \(tag)
          ^
        Write {{a}}.
        """)
    }
  }

  @Test("Safe HTML is not escaped again")
  func escapedHTML() {
    expect(
      "{{a}}", ["a": .html(SafeHTML("<b>"))],
      """
      Template page:1:1: "a" is safe HTML, and two braces would escape it again.
        {{a}}
        ^
      Write {{{a}}}.
      """)
  }

  @Test("A list or a record is not put in as text")
  func noText() {
    expect(
      "{{#a}}{{.}}{{/a}}", ["a": ["b": 1]],
      """
      Template page:1:7: "." is a record and cannot be put in as text.
        {{#a}}{{.}}{{/a}}
              ^
      Open it with {{#.}} and put in what it holds.
      """)
  }

  @Test("A template that is not there is named")
  func missingTemplate() {
    expect(
      ["pages/index": ""], [:],
      "Template page: there is no template of this name.\nKnown templates: pages/index.")
    expect([:], [:], "Template page: there is no template of this name.\nKnown templates: none.", mode: .lenient)
  }

  @Test("A caret stands below its place in lines with tabs, wide characters and many characters")
  func excerpt() {
    let long = String(repeating: "é", count: 500)
    expect(
      "\t\(long){{x}}\(long)", [:],
      """
      Template page:1:502: nothing in the data is called "x".
        …\(String(repeating: "é", count: 60)){{x}}\(String(repeating: "é", count: 55))…
         \(String(repeating: " ", count: 60))^
      Known here: none.
      """)
    expect("\t{{x}}", [:], "Template page:1:2: nothing in the data is called \"x\".\n   {{x}}\n   ^\nKnown here: none.")
  }

  private func expect(_ source: String, _ data: TemplateValue, _ text: String) {
    expect(["page": source], data, text)
  }

  private func expect(
    _ sources: [String: String], _ data: TemplateValue, _ text: String, mode: TemplateLibrary.Mode = .strict
  ) {
    let error = #expect(throws: TemplateError.self) { try render(sources, data, mode: mode) }
    #expect(error?.description == text)
  }
}
