import Rendering
import Testing

@Suite("Mistakes in templates")
struct TemplateParserTests {
  @Test("A section, a parent or a block that is never closed is shown where it opens")
  func unclosed() {
    for (tag, rest) in [("{{#a}}", "{{#b}}{{/b}}"), ("{{^a}}", ""), ("{{<a}}", ""), ("{{$a}}", "")] {
      expect(
        "x\n \(tag)\(rest)\n",
        """
        Template page:2:2: \(tag) is never closed.
           \(tag)\(rest)
           ^
        Put {{/a}} where it ends.
        """)
    }
  }

  @Test("An end tag that does not match is shown with the tag that is open")
  func mismatched() {
    expect(
      "{{#a}}\n{{#b}}\n{{/a}}{{/b}}",
      """
      Template page:3:1: {{/a}} closes {{#b}} of line 2.
        {{/a}}{{/b}}
        ^
      Close it with {{/b}} first.
      """)
  }

  @Test("An end tag without a beginning is an error")
  func unopened() {
    expect(
      "{{#a}}{{/a}} {{/a}}",
      """
      Template page:1:14: {{/a}} closes nothing.
        {{#a}}{{/a}} {{/a}}
                     ^
      Take it out, or open it before with {{#a}}.
      """)
  }

  @Test("A tag that is never closed is shown where it opens, also when a later tag is closed")
  func unclosedTag() {
    for rest in ["", "\n{{b}}", " {{b}}"] {
      expect(
        "é {{a\(rest)",
        """
        Template page:1:3: the tag is never closed.
          é {{a\(rest.first == " " ? rest : "")
            ^
        Close it with }} on the same line.
        """)
    }
    expect(
      "{{a\nb }}", "Template page:1:1: the tag is never closed.\n  {{a\n  ^\nClose it with }} on the same line.")
    expect(
      "{{{a}}",
      "Template page:1:1: the tag is never closed.\n  {{{a}}\n  ^\nClose it with }}} on the same line.")
    expect("{{", "Template page:1:1: the tag is never closed.\n  {{\n  ^\nClose it with }} on the same line.")
  }

  @Test("A comment that is never closed is an error")
  func unclosedComment() {
    expect("{{! a", "Template page:1:1: the comment is never closed.\n  {{! a\n  ^\nClose it with }}.")
  }

  @Test("A change of delimiters has to be complete")
  func delimiters() {
    expect(
      "{{=<% %>\n",
      """
      Template page:1:1: the change of delimiters is never closed.
        {{=<% %>
        ^
      Write it like {{=<% %>=}}.
      """)
    for inner in ["", "<%", "<% %> <%", "=< >"] {
      expect(
        "{{=\(inner)=}}",
        """
        Template page:1:1: a change of delimiters takes two delimiters with a space between them and no "=" in them.
          {{=\(inner)=}}
          ^
        Write it like {{=<% %>=}}.
        """)
    }
  }

  @Test("Tags after a change of delimiters name the delimiters that hold then")
  func changedDelimiters() {
    expect(
      "{{=<% %>=}}<%a",
      "Template page:1:12: the tag is never closed.\n  {{=<% %>=}}<%a\n             ^\nClose it with %> on the same line."
    )
  }

  @Test("A tag needs a name")
  func emptyName() {
    for tag in ["{{}}", "{{ }}", "{{#}}", "{{{}}}", "{{> }}"] {
      expect(
        tag, "Template page:1:1: the tag names nothing.\n  \(tag)\n  ^\nPut a name into it, or take it out.")
    }
  }

  @Test("A name has no white space and no empty parts")
  func badName() {
    expect(
      "{{#each bots}}",
      """
      Template page:1:1: the name "each bots" has white space in it.
        {{#each bots}}
        ^
      Write the name without white space, or two tags for two names.
      """)
    for name in ["a.", ".a", "a..b", ".."] {
      expect(
        "{{\(name)}}",
        """
        Template page:1:1: "\(name)" is not a name.
          {{\(name)}}
          ^
        Put one name on each side of a dot, or nothing but a dot for the current value.
        """)
    }
  }

  private func expect(_ source: String, _ text: String) {
    let error = #expect(throws: TemplateError.self) { try TemplateLibrary(sources: ["page": source]) }
    #expect(error?.description == text)
  }
}
