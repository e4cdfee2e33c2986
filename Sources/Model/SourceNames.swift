/// The names in a Swift source by which tests may share state, and what of it runs outside of tests.
package struct SourceNames: Hashable, Sendable {
  /// A global or a static property, whose value outlives a test.
  package struct Variable: Hashable, Sendable {
    package var name: String
    /// The last word of the name of the type that it is declared in; nil for a global.
    package var type: String?
    /// Whether no other file can name it.
    package var isPrivate: Bool
    /// Whether it never changes and calls nothing to get its value.
    package var isConstant: Bool
    /// Whether it is all that a `let` declares.
    package var isLet: Bool
    /// The words of its declaration.
    package var words: Set<String>

    package init(
      _ name: String, of type: String? = nil, isPrivate: Bool = false, isConstant: Bool = false,
      isLet: Bool = false, words: Set<String> = []
    ) {
      self.name = name
      self.type = type
      self.isPrivate = isPrivate
      self.isConstant = isConstant
      self.isLet = isLet
      self.words = words
    }
  }

  /// A class or an actor as it is declared.
  package struct Class: Hashable, Sendable {
    /// The full name, such as `Cart.Store`.
    package var path: String
    /// The words between its name and its opening brace, such as the class that it inherits from.
    package var words: Set<String>
    /// Whether it overrides something static, such as XCTest's set-up for all tests of a class.
    package var overridesStatic: Bool
    /// The words of its stored properties, where the compiler holds that none of them changes; otherwise nil.
    package var constants: Set<String>?

    /// The last word of the full name.
    package var name: String { String(path.split(separator: ".").last ?? "") }

    package init(
      _ path: String, words: Set<String> = [], overridesStatic: Bool = false, constants: Set<String>? = nil
    ) {
      self.path = path
      self.words = words
      self.overridesStatic = overridesStatic
      self.constants = constants
    }
  }

  /// A test or suite of Swift Testing with the arguments of its attribute, which are evaluated outside of it.
  package struct Attributed: Hashable, Sendable {
    /// The name of the function or type.
    package var name: String
    /// Whether the arguments call nothing but the library's own traits.
    package var isConstant: Bool
    package var words: Set<String>

    package init(_ name: String, isConstant: Bool = false, words: Set<String> = []) {
      self.name = name
      self.isConstant = isConstant
      self.words = words
    }
  }

  /// An operator `==`. A dictionary calls it for keys whose hashes are alike, which differs in each process
  /// (https://developer.apple.com/documentation/swift/hasher).
  package struct Equality: Hashable, Sendable {
    /// The last word of the name of the type that it is declared in; nil for a global one.
    package var type: String?
    /// The lines of its body.
    package var body: ClosedRange<Int>
    /// What it mentions.
    package var words: Set<String>

    package init(of type: String?, body: ClosedRange<Int>, words: Set<String> = []) {
      self.type = type
      self.body = body
      self.words = words
    }
  }

  /// Types of Foundation whose values never change through a `let`, and whose initialisers run nothing of a package.
  package static let fixedTypes: Set<String> = [
    "Calendar", "CharacterSet", "Data", "Decimal", "Locale", "NSError", "NSRegularExpression", "TimeZone", "URL",
  ]

  /// The lines in which each word stands, ascending.
  package var lines: [String: [Int]]
  /// What another file of the module can name without naming a type of this one, and the types.
  package var offered: Set<String>
  package var variables: [Variable]
  /// The properties that run code each time.
  package var computed: Set<String>
  package var classes: [Class]
  /// The structures and enumerations by their full names, such as `Tag.Name`, each with the words of what is stored in it,
  /// and `->` for a function; other names of types with those of the type. Types are full names, too, as far as they are
  /// written, with a full stop before them where only their end is known.
  package var values: [String: Set<String>]
  package var attributed: [Attributed]
  package var equalities: [Equality]
  /// The bodies of functions that make a hash, by the last word of the name of their type.
  package var hashes: [String: [ClosedRange<Int>]]
  /// The words with which types are declared and extended, such as `enum` and protocols, by the last words of their names.
  package var headers: [String: Set<String>]
  /// Whether it asks in which line, or column, something stands, its callers perhaps.
  package var readsLines: Bool

  package init(
    lines: [String: [Int]] = [:], offered: Set<String> = [], variables: [Variable] = [], computed: Set<String> = [],
    classes: [Class] = [], values: [String: Set<String>] = [:], attributed: [Attributed] = [],
    equalities: [Equality] = [],
    hashes: [String: [ClosedRange<Int>]] = [:], headers: [String: Set<String>] = [:], readsLines: Bool = false
  ) {
    self.lines = lines
    self.offered = offered
    self.variables = variables
    self.computed = computed
    self.classes = classes
    self.values = values
    self.attributed = attributed
    self.equalities = equalities
    self.hashes = hashes
    self.headers = headers
    self.readsLines = readsLines
  }
}
