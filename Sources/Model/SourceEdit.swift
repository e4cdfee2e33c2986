/// What changed in the text of a Swift source, apart from comments and blanks.
package enum SourceEdit: Hashable, Sendable {
  /// A function as it was before the change.
  package struct Function: Hashable, Sendable {
    /// What is declared: a function or an operator, a property whose value it makes; nil for others, such as an initialiser.
    package var name: String?
    /// The lines behind what comes before the function, up to its opening brace.
    package var head: ClosedRange<Int>
    /// The lines of its body with both braces.
    package var body: ClosedRange<Int>
    /// The words in its body, before the change and after it.
    package var words: Set<String>

    package init(
      _ name: String? = nil, head: ClosedRange<Int>, body: ClosedRange<Int>, words: Set<String> = []
    ) {
      self.name = name
      self.head = head
      self.body = body
      self.words = words
    }
  }

  /// Nothing outside the bodies of functions; nothing at all without any. Other bodies moved to other lines, or some of
  /// their lines did.
  case bodies([Function], moved: [Function] = [])
  /// Something else, first in this line of the source as it was.
  case declarations(line: Int)
}
