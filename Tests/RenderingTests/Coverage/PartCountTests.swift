import Model
import Testing

@testable import Rendering

@Suite("Counts inside of lines")
struct PartCountTests {
  private func listing(_ marked: String) -> String {
    let text = CountedText(marked)
    let listing = SourceListing(HighlightedSource(text.bytes, path: "a.swift"), coverage: text.coverage)
    return String(decoding: listing.html().bytes, as: UTF8.self)
  }

  @Test(
    "A count stands wherever the number of runs changes on a line, at the end of a part, too",
    arguments: [
      (
        "func f() ‹1:{\n  for x in xs ‹4:{\n    s += (x ?? ‹1:side(1)›) + side(2)\n  }›\n}›",
        "func f() {\n  «1»for x in xs {\n    s += (x ?? «1»side(1)) + «4»side(2)\n  }\n}"
      ),
      (
        "‹1:{\n  return [1, 2, 3].map ‹3:{ $0 + s }›.count\n}›",
        "{\n  «1»return [1, 2, 3].map «3»{ $0 + s }«1».count\n}"
      ),
      (
        "‹1:{\n  f ‹3:{ let a = b; return (a.first ‹5:{ $0 > 5 }› ?? ‹1:a.last›) + c }›\n}›",
        "{\n  «1»f «3»{ let a = b; return (a.first «5»{ $0 > 5 } ?? «1»a.last) + «3»c }\n}"
      ),
      ("‹9:{\n  a(‹3:b›, c)\n}›", "{\n  a(«3»b, «9»c)\n}"),
      ("‹2:{\n  xs.map ‹8:{\n    $0\n  }›.count\n}›", "{\n  «2»xs.map {\n    $0\n  }«2».count\n}"),
      ("‹9:{\n  let x = a ? ‹3:b› : ‹6:c›\n}›", "{\n  let x = a ? «3»b : «6»c\n}"),
      ("‹9:{\n  ‹4:case .a:\n    b()\n›\n}›", "{\n  «4»case .a:\n    b()\n\n}"),
    ])
  func changes(_ marked: String, _ expected: String) {
    #expect(countsShown(marked) == expected)
  }

  @Test(
    "None stands where nothing follows that is evaluated",
    arguments: [
      ("‹9:{\n  a(b ?? ‹2:c›) // why\n}›", "{\n  a(b ?? «2»c) // why\n}"),
      ("‹9:{\n  a([b ?? ‹2:c›], d: ‹2:e›);\n}›", "{\n  a([b ?? «2»c], d: e);\n}"),
      ("‹9:{\n  if a ‹2:{ // why\n    b()\n  }› else ‹7:{\n    c()\n  }›\n}›", nil),
      ("‹9:{\n  f ‹2:{ a, b in // why\n    a()\n  }›\n}›", nil),
      ("‹9:{\n  do ‹8:{\n    a()\n  }› catch let e as E where e.isBad ‹1:{\n    b()\n  }›\n}›", nil),
      ("‹1:{\n  while let a = b.next() ‹5:{\n    c()\n  }›\n}›", nil),
      ("‹1:{\n  repeat ‹5:{\n    c()\n  }› while ‹5:d›\n}›", nil),
      ("‹1:{\n  @Sendable func a() -> B ‹5:{ c() }›\n  let d: E; let b: C ‹5:{ d() }›\n}›", nil),
      ("‹9:{\n  a(\"\\(b ?? ‹2:c›) and so on\")\n}›", "{\n  a(\"\\(b ?? «2»c) and so on\")\n}"),
      ("‹9:{\n  a(\"\\(b ?? ‹2:c›) and \\(d)\")\n}›", "{\n  a(\"\\(b ?? «2»c) and \\(«9»d)\")\n}"),
      ("‹9:{\n  a(b: ‹2:{ c }›) { d } onError: ‹2:{ e }›\n}›", "{\n  a(b: «2»{ c }) «9»{ d } onError: «2»{ e }\n}"),
    ] as [(String, String?)])
  func silent(_ marked: String, _ expected: String?) {
    let plain = String(decoding: CountedText(marked).bytes, as: UTF8.self)
    #expect(countsShown(marked) == expected ?? plain)
  }

  @Test("Of several conditions the compiler counts the first only, so that the others have none")
  func conditions() {
    #expect(
      countsShown("‹1:{\n  var i = a; while ‹4:i < 9›, b(i) ‹4:{ i += ‹2:c› }›; d()\n}›")
        == "{\n  «1»var i = a; while «4»i < 9, b(i) { i += «2»c }; «1»d()\n}")
    #expect(
      countsShown("‹9:{\n  if a ‹3:{ b() }› else if ‹6:c›, d ‹2:{ e() }›; f()\n}›")
        == "{\n  if a «3»{ b() } else if «6»c, d «2»{ e() }; «9»f()\n}")
  }

  @Test("What never ran has none, and what follows it only where that ran otherwise than what was before")
  func dead() {
    #expect(countsShown("‹9:{\n  a(b ?? ‹0:c›, d)\n}›") == "{\n  a(b ?? c, d)\n}")
    #expect(countsShown("‹9:{\n  a(b ?? ‹2:c›, d ?? ‹0:e›, f)\n}›") == "{\n  a(b ?? «2»c, «9»d ?? e, f)\n}")
    #expect(countsShown("‹9:{\n  ‹0:case .a:\n    b(‹2:c›, ‹1:d›)\n›}›") == "{\n  case .a:\n    b(c, «1»d)\n}")
  }

  @Test("Without code there is no count, and a counter below zero is not known")
  func unknown() {
    #expect(countsShown("var a: Int { get ‹2:{ b }› set ‹5:{ c }› }") == "var a: Int { get «2»{ b } set «5»{ c } }")
    #expect(countsShown("‹9:{\n  a(‹9223372036854775807:b›, c)\n}›") == "{\n  «9»a(«?»b, «9»c)\n}")
  }

  @Test("In C, the parts of a for have theirs")
  func other() {
    let marked = "int f() ‹1:{\n  for (i = 0; ‹4:i < 3›; ‹3:i++›) ‹3:{\n    g();\n  }›\n}›"
    #expect(
      countsShown(marked, path: "a.c") == "int f() {\n  «1»for (i = 0; «4»i < 3; «3»i++) {\n    g();\n  }\n}")
  }

  @Test("A count stands in a row of its own and changes no text")
  func shown() {
    let html = listing("‹12345:{\n  a()\n  let b = c ?? ‹11000:\"é\"› ?? d(1)\n  a()\n}›\n")
    #expect(html.contains("c ?? <sup title=11.0k></sup><u>\"é\"</u> ?? <sup title=12.3k></sup>d(<var>1</var>)\n"))
    #expect(html.matches(of: /<tr id=L(\d)/).map { String($0.1) } == ["1", "3", "4"])
  }

  @Test("A line whose code is all in one region has the count of that region beside it, and none inside")
  func ownCounts() {
    let html = listing(
      "‹9:{\n  switch a {\n  ‹2:case .a: b()›\n  ‹0:case .c: d()›\n  ‹7:default: e ?? ‹3:f››\n  }\n}›\n")
    #expect(html.contains("<tr id=L3><td>3<td>2<td>  <b>case</b>"))
    #expect(html.contains("<tr id=L4 class=p data-stop><td>4<td><small> partly</small><td>"))
    #expect(html.contains("<p>Only the code around it ran."))
    #expect(html.contains("<tr id=L5><td>5<td>7<td>") && html.contains("?? <sup title=3></sup>f"))
    #expect(!html.contains("title=2>") && !html.contains("title=7>"))
    // What is evaluated around a region counts, and so does what stands beside it.
    #expect(listing("‹9:{\n  a(‹3:b›)\n}›\n").contains("<tr id=L2><td>2<td>9<td>"))
    #expect(listing("‹9:{\n  ‹3:b› ?? ‹4:c›\n}›\n").contains("<tr id=L2><td>2<td>9<td>"))
  }

  @Test("A page says what the counts mean only where there are any")
  func legend() {
    let text = CountedText("‹9:{\n  a(‹3:b›)\n}›\n")
    let listing = SourceListing(HighlightedSource(text.bytes, path: "a.swift"), coverage: text.coverage)
    #expect(listing.hasPartCounts(in: 1..<4) && !listing.hasPartCounts(in: 3..<4))
  }

  @Test("What the counts of a line bring to a page is bounded from above")
  func weights() {
    let text = CountedText("‹1:{\n  f ‹3:{ (a ?? ‹2:b›) + c }›\n  d()\n}›\n")
    let weights = text.coverage.partCountWeights
    let html = listing("‹1:{\n  f ‹3:{ (a ?? ‹2:b›) + c }›\n  d()\n}›\n")
    #expect(html.matches(of: /<sup title=[^>]*><\/sup>/).map(\.output.utf8.count).reduce(0, +) <= weights[2] ?? 0)
    #expect(weights[2] == 5 * PartCount.weight && weights[3] == nil)
    #expect(weights.values.reduce(0, +) <= text.coverage.extraWeight(stops: 0))
  }
}
