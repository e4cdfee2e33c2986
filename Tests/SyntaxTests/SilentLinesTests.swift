import Syntax
import Testing

@Suite("Lines without code")
struct SilentLinesTests {
  private let source = Array(
    """
    let a = 1 // one
    // a remark

    /* of several
       lines */
    /* before */ let b = #/ /* /#
    let text = \"\"\"
      // no remark
    \"\"\" /// behind
    }

    """.utf8)

  @Test("Comments and blanks are silent; what stands beside a comment, or only looks like one, is not")
  func silent() {
    #expect(SourceCode(source, path: "A.swift").silent(Array(1...11)) == [2, 3, 4, 5, 11])
    #expect(SourceCode(source, path: "A.swift").silent([1, 5, 7]) == [5])
  }

  @Test("Comments of C are silent, too")
  func c() {
    let source = Array(
      """
      int a = 1; // one
      // a remark \\
         that goes on

      /* of several
         /* lines */
      const char *text = "\\
      // no remark";
      } /* behind */

      """.utf8)
    for path in ["a.c", "Sources/a.mm", "a.hpp", "A.C"] {
      #expect(SourceCode(source, path: path).silent(Array(1...9)) == [2, 3, 4, 5, 6])
    }
  }

  @Test("In other languages only blank lines are silent", arguments: ["a.s", "c", "a.c/README", "a.cs"])
  func plain(_ path: String) {
    #expect(SourceCode(source, path: path).silent(Array(1...11)) == [3, 11])
  }

  @Test("A line has words when a word stands outside of comments")
  func words() {
    let code = SourceCode(source, path: "A.swift")
    #expect((1...10).filter(code.hasWords) == [1, 6, 7, 8])
  }
}
