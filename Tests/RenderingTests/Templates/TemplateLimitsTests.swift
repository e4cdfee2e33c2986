import Rendering
import TestGround
import Testing

@Suite("Large and deep templates")
struct TemplateLimitsTests {
  @Test("Sections and blocks may lie in each other ten thousand deep")
  func deepSections() throws {
    let depth = 10_000
    let source = String(repeating: "{{#a}}", count: depth) + "x" + String(repeating: "{{/a}}", count: depth)
    #expect(try render(source, ["a": true]) == "x")
    #expect(try render(source.replacing("#", with: "^"), ["a": false]) == "x")
    let blocks = String(repeating: "{{$a}}", count: depth) + "x" + String(repeating: "{{/a}}", count: depth)
    #expect(try render(blocks, [:]) == "x")
  }

  @Test("A partial may include itself as deep as the data goes")
  func recursion() throws {
    func node(_ depth: Int) -> TemplateValue {
      ["name": .number(depth), "nodes": .list(depth > 0 ? [node(depth - 1)] : [])]
    }
    let source = "{{name}}{{#nodes}} {{>page}}{{/nodes}}"
    #expect(try render(source, node(99)) == (0...99).reversed().map(String.init).joined(separator: " "))
    #expect(throws: TemplateError.self) { try render(source, node(101)) }
  }

  @Test("A partial that includes itself without end is an error")
  func endlessRecursion() {
    let error = #expect(throws: TemplateError.self) {
      try render(["page": "x\n {{>other}}", "other": "{{>page}}"], [:])
    }
    let way = Array(repeating: "  included from other:1:1\n  included from page:2:2", count: 4)
    #expect(
      error?.description == """
        Template page:2:2: templates include each other more than 100 deep.
           {{>other}}
           ^
        \(way.joined(separator: "\n"))
          and 92 more inclusions
        Let the data end the recursion: put the tag into a section that is empty at the last level.
        """)
  }

  @Test(
    "A large template is read and rendered in linear time",
    arguments: [
      ("{{a}}", "&amp;"), ("\n", "  \n"), ("{{! }}        ", "        "), ("{{=<% %>=}}<%={{ }}=%>", ""),
      ("{{$c}}\n\n{{/c}}\n", "  \n"), ("{{<p}}\n{{$c}}\n x\n{{/c}}\n{{/p}}\n", "  x\n"),
    ])
  func large(part: String, rendered: String) throws {
    let growth = try Growth.atFourTimes(1 << 15, of: { $0 / part.utf8.count }) { count in
      let sources = ["part": String(repeating: part, count: count), "p": "{{$c}}{{/c}}", "page": "  {{>part}}\n"]
      let text = try render(sources, ["a": "&"])
      // The partial is indented by its tag where its first line shows anything.
      let expected = String(repeating: rendered, count: count)
      #expect(text.drop { $0 == " " }.utf8.elementsEqual(expected.drop { $0 == " " }.utf8))
    }
    #expect(growth < Growth.inProportion)
  }

  @Test("A mistake at the end of a very long line is found in linear time")
  func largeError() {
    let growth = Growth.atFourTimes(5_000, of: \.self) { count in
      let source = String(repeating: "{{a}}", count: count) + "{{b}}"
      let error = #expect(throws: TemplateError.self) { try render(source, ["a": 1]) }
      #expect(error?.position?.column == 5 * count + 1)
    }
    #expect(growth < Growth.inProportion)
  }

  @Test("Templates thrown together at random render or are refused, and never trap")
  func random() throws {
    let data: TemplateValue = ["a": [["a": "1"], 2, [[]], true], "b": ["c": .missing]]
    var source = RandomTemplates()
    var rendered = 0
    for _ in 0..<2_000 {
      let sources = ["page": source.template(), "p": source.template(), "q": source.template()]
      for mode in [TemplateLibrary.Mode.strict, .lenient] {
        if case .success = Result(catching: { () throws(TemplateError) in try render(sources, data, mode: mode) }) {
          rendered += 1
        }
      }
    }
    #expect((800..<3_600).contains(rendered))
  }
}

/// Makes templates of which some have mistakes, the same ones in each run.
private struct RandomTemplates {
  private var state: UInt64 = 42

  mutating func template() -> String {
    let parts = [
      "{{.}}", "{{{b.c}}}", "{{a}}", "{{>p}}", "{{>q}}", "{{!\n}}", "\n", "\n", "\r\n", "  ", "\t", "x", "é",
    ]
    let pairs = ["#a", "^a", "$a", "$p", "<p", "<q", "#b"]
    let mistakes = ["{{", "}}", "{{=| |=}}", "{{/a}}", "{{#p}}", "{{=", "{{!"]
    var text = ""
    for _ in 0..<10 {
      switch number(below: 40) {
      case 0: text += mistakes[number(below: mistakes.count)]
      case 1..<16:
        let pair = pairs[number(below: pairs.count)]
        text = "{{\(pair)}}\(text){{/\(pair.dropFirst())}}"
      case 16..<28: text += parts[number(below: parts.count)]
      default: text = parts[number(below: parts.count)] + text
      }
    }
    return text
  }

  /// Knuth's MMIX generator: https://en.wikipedia.org/wiki/Linear_congruential_generator
  private mutating func number(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
