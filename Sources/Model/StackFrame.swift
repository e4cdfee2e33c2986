/// One call on the stack of a thread.
package struct StackFrame: Hashable, Sendable {
  /// Counted from 0 for the innermost call.
  package var number: Int
  /// The function's name as written in the source, if it is known.
  package var function: String
  /// The location, relative to the package; absent for code outside the repository, and for generated code.
  package var location: SourceLocation?
  /// The source, relative to the package, of a call that a sanitizer tells without a line.
  package var file: String?
  /// The file name of the executable or library.
  package var image: String?

  package init(
    number: Int, function: String, location: SourceLocation? = nil, file: String? = nil, image: String? = nil
  ) {
    self.number = number
    self.function = function
    self.location = location
    self.file = file
    self.image = image
  }

  /// Whether the call is in a source of the repository.
  package var isOwn: Bool { location != nil }

  /// Whether the call is in the program that SwiftPM links of the package and its tests.
  package var isOfTests: Bool { image?.hasSuffix(".xctest") == true }

  /// Whether the sources have the function: what the compiler adds has several words, such as `thunk for @escaping () -> ()`.
  package var isWritten: Bool {
    let words = function.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].allSatisfy(\.isLetter) else {
      return !function.hasSuffix(".__deallocating_deinit")
    }
    return ["static", "closure"].contains(words[0])
  }

  /// The function without the marks of a system library: `read` for `__GI___libc_read@GLIBC_2.2.5`.
  package var plainFunction: String {
    var name = function.prefix { $0 != "@" }
    for prefix in ["__GI_", "__libc_", "__"] {
      while name.hasPrefix(prefix), !name.dropFirst(prefix.count).isEmpty { name = name.dropFirst(prefix.count) }
    }
    return String(name)
  }
}

/// The stack of a thread at a given moment.
package struct ThreadStack: Hashable, Sendable {
  package var name: String?
  package var frames: [StackFrame]

  package init(name: String? = nil, frames: [StackFrame]) {
    self.name = name
    self.frames = frames
  }

  /// The innermost call in a source of the repository.
  package var firstOwn: StackFrame? { frames.first(where: \.isOwn) }
}
