/// One call on the stack of a thread.
package struct StackFrame: Hashable, Sendable, Codable {
  /// Counted from the innermost call, 0.
  package var number: Int
  /// The function in the words of the source, as far as there is a name.
  package var function: String
  /// Where in the package; absent for code that is not the package's, and for generated code.
  package var location: SourceLocation?
  /// The file name of the executable or library.
  package var image: String?

  package init(number: Int, function: String, location: SourceLocation? = nil, image: String? = nil) {
    self.number = number
    self.function = function
    self.location = location
    self.image = image
  }

  /// Whether the call stands in a source of the package.
  package var isOwn: Bool { location != nil }
}

/// What a thread was doing at one moment.
package struct ThreadStack: Hashable, Sendable, Codable {
  package var name: String?
  package var frames: [StackFrame]

  package init(name: String? = nil, frames: [StackFrame]) {
    self.name = name
    self.frames = frames
  }

  /// The innermost call in a source of the package.
  package var firstOwn: StackFrame? { frames.first(where: \.isOwn) }
}
