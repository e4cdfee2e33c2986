import Rendering
import Testing

@Suite("Rendering templates")
struct TemplateRenderingTests {
  @Test("Two braces escape a text, in content and in attributes")
  func escaping() throws {
    let text = try render("<a title=\"{{t}}\">{{t}}</a>", ["t": "a & <b> \"c\" 'd'\0"])
    let escaped = "a &amp; &lt;b&gt; &quot;c&quot; &#39;d&#39;\u{FFFD}"
    #expect(text == "<a title=\"\(escaped)\">\(escaped)</a>")
  }

  @Test("Three braces and an ampersand put safe HTML in as it is")
  func safeHTML() throws {
    #expect(try render("{{{h}}}{{&h}}", ["h": .html(SafeHTML("<b>&amp;</b>"))]) == "<b>&amp;</b><b>&amp;</b>")
  }

  @Test("In lenient mode the braces alone decide whether a value is escaped")
  func lenient() throws {
    let data: TemplateValue = ["h": .html(SafeHTML("<b>")), "t": "<i>"]
    #expect(try render("{{h}}{{{h}}}{{t}}{{{t}}}", data, mode: .lenient) == "&lt;b&gt;<b>&lt;i&gt;<i>")
  }

  @Test("In lenient mode unknown names are blank, whatever they are used for")
  func lenientUnknown() throws {
    let source = "[{{a}}{{{b}}}{{#c}}x{{/c}}{{^d}}y{{/d}}{{>e}}{{<f}}{{/f}}{{n.a}}{{l}}]"
    #expect(try render(source, ["n": 1, "l": [1]], mode: .lenient) == "[y]")
  }

  @Test(
    "Numbers are written out",
    arguments: [(0, "0"), (-7, "-7"), (1200, "1200"), (.max, "9223372036854775807"), (.min, "-9223372036854775808")])
  func numbers(number: Int, text: String) throws {
    #expect(try render("{{n}}{{{n}}}", ["n": .number(number)]) == text + text)
  }

  @Test("Missing values are blank and flags are words")
  func missingAndFlags() throws {
    #expect(try render("[{{m}}{{{m}}}]{{y}}/{{n}}", ["m": .missing, "y": true, "n": false]) == "[]true/false")
    #expect(TemplateValue.optional(nil) == .missing)
    #expect(TemplateValue.optional("x") == "x")
  }

  @Test(
    "A section is shown for something and an inverted section for nothing",
    arguments: [
      (.missing, "no"), (false, "no"), ([], "no"), ("", "no"), (.html(SafeHTML("")), "no"),
      (true, "yes"), (0, "yes"), (" ", "yes"), ([:], "yes"), (.html(SafeHTML("x")), "yes"), ([0], "yes"),
    ] as [(TemplateValue, String)])
  func sections(value: TemplateValue, expected: String) throws {
    #expect(try render("{{#v}}yes{{/v}}{{^v}}no{{/v}}", ["v": value]) == expected)
  }

  @Test("A section of a flag leaves the current value alone, and one of a text makes it current")
  func current() throws {
    #expect(try render("{{#l}}{{#f}}{{.}}{{/f}}{{/l}}", ["f": true, "l": ["a", "b"]]) == "ab")
    #expect(try render("{{#t}}{{.}}{{/t}}", ["t": "x"]) == "x")
  }

  @Test("Names are looked up from the innermost record outwards")
  func contexts() throws {
    let data: TemplateValue = ["a": "outer", "b": "seen", "l": [["a": 1], ["a": 2], [:]]]
    #expect(try render("{{#l}}{{a}}{{b}} {{/l}}{{a}}", data) == "1seen 2seen outerseen outer")
  }

  @Test("What lies below a missing value is missing too")
  func belowMissing() throws {
    #expect(try render("[{{a.b.c}}{{#a.b}}x{{/a.b}}{{^a.b}}y{{/a.b}}]", ["a": .missing]) == "[y]")
  }

  @Test("A block that replaces another may use a block of the same name itself")
  func sameBlock() throws {
    let sources = [
      "layout": "<main>{{$content}}{{/content}}</main>",
      "card": "<div>{{$content}}{{/content}}</div>",
      "page": "{{<layout}}{{$content}}{{<card}}{{$content}}x{{/content}}{{/card}}{{/content}}{{/layout}}",
    ]
    #expect(try render(sources, [:]) == "<main><div>x</div></main>")
  }

  @Test("A block reaches through the partials of its parent")
  func blockInPartial() throws {
    let sources = [
      "head": "<title>{{$title}}-{{/title}}</title>", "layout": "{{>head}}",
      "page": "{{<layout}}{{$title}}{{t}}{{/title}}{{/layout}}",
    ]
    #expect(try render(sources, ["t": "<"]) == "<title>&lt;</title>")
  }

  @Test("A page written over several lines takes the indentation of its layout")
  func layout() throws {
    let sources = [
      "layout": "<body>\n  <main>\n    {{$content}}\n    {{/content}}\n  </main>\n  {{>foot}}\n</body>\n",
      "foot": "<footer>\n  {{f}}\n</footer>\n",
      "page": """
      {{<layout}}
        {{$content}}
        {{#rows}}
        <p>
          {{.}}
        </p>
        {{/rows}}
        {{/content}}
      {{/layout}}
      """,
    ]
    let expected = """
      <body>
        <main>
          <p>
            1
          </p>
          <p>
            2
          </p>
        </main>
        <footer>
          a
      b
        </footer>
      </body>

      """
    #expect(try render(sources, ["rows": [1, 2], "f": "a\nb"]) == expected)
  }

  @Test("A block inside a line stays inside it, and its further lines are not indented")
  func inlineBlock() throws {
    let sources = [
      "layout": "  <b>{{$x}}{{/x}}</b>\n", "outer": "-\n  {{>page}}\n",
      "page": "{{<layout}}\n{{$x}}\n    one\n    two\n{{/x}}\n{{/layout}}\n",
    ]
    #expect(try render(sources, [:]) == "  <b>one\ntwo\n</b>\n")
    #expect(try render(sources, [:], name: "outer") == "-\n    <b>one\ntwo\n</b>\n")
  }

  @Test("A block on lines of its own indents what replaces it, also when that is written inside a line")
  func inlineReplacement() throws {
    let sources = [
      "layout": "<b>\n  {{$x}}\n  {{/x}}\n</b>\n", "page": "{{<layout}}{{$x}}one\ntwo\n{{/x}}{{/layout}}",
    ]
    #expect(try render(sources, [:]) == "<b>\n  one\n  two\n</b>\n")
  }

  @Test("Of two values for one name in a literal the later counts, and literals may hold values")
  func literals() throws {
    let count = 2
    #expect(
      try render("{{a}}{{#b.c}}{{.}},{{/b.c}}", ["a": 1, "b": ["c": [true, "x", "\(count)<"]], "a": 3])
        == "3true,x,2&lt;,")
  }

  @Test("A template may hold any bytes that are UTF-8, NUL included")
  func anyText() throws {
    #expect(try render("\0é{ {} }} \r\u{2028}🐦{{n}}", ["n": 1]) == "\0é{ {} }} \r\u{2028}🐦1")
    #expect(try render("", [:]) == "")
  }
}

/// Renders a template given as text.
func render(
  _ source: String, _ data: TemplateValue, mode: TemplateLibrary.Mode = .strict
) throws(TemplateError) -> String {
  try render(["page": source], data, mode: mode)
}

/// Renders the template "page", or another one, of several.
func render(
  _ sources: [String: String], _ data: TemplateValue, name: String = "page", mode: TemplateLibrary.Mode = .strict
) throws(TemplateError) -> String {
  String(decoding: try TemplateLibrary(sources: sources).render(name, data, mode: mode), as: UTF8.self)
}
