/// The keywords of a language, looked up by their bytes.
struct Keywords: Sendable {
  enum Role: UInt8, Sendable {
    /// A keyword except as a member or an argument label.
    case always
    /// Like `always`, but also a value, so a slash after it means division.
    case value
    /// A keyword only before another name.
    case modifier
    /// A keyword only at the beginning of an accessor.
    case accessor
    /// `async`, after a parameter list or before `let`.
    case effect
  }

  /// A word as two numbers, which are hashed and compared faster than its bytes.
  private struct Key: Hashable, Sendable {
    var low: UInt64 = 0
    var high: UInt64 = 0

    /// Nil for a word that is shorter or longer than all keywords.
    @inline(__always)
    init?(_ bytes: [UInt8], _ range: Range<Int>) {
      guard 2...16 ~= range.count else { return nil }
      for index in range.prefix(8) { low = low << 8 | UInt64(bytes[index]) }
      for index in range.dropFirst(8) { high = high << 8 | UInt64(bytes[index]) }
    }
  }

  static let swift = Keywords([
    (
      .always,
      """
      associatedtype class deinit enum extension fileprivate func import init inout internal let operator \
      precedencegroup private protocol public rethrows static struct subscript typealias var break case catch \
      continue default defer do else fallthrough for guard if in repeat return switch throw where while as await \
      is throws try
      """
    ),
    (.value, "self Self super true false nil Any"),
    (
      .modifier,
      """
      open final lazy weak unowned mutating nonmutating override required convenience dynamic optional indirect \
      prefix postfix infix package actor macro isolated nonisolated distributed sending borrowing consuming some \
      any each consume copy discard unsafe yield __owned __shared __consuming
      """
    ),
    (.accessor, "get set willSet didSet _read _modify borrow mutate unsafeAddress"),
    (.effect, "async"),
  ])

  /// Those of C, C++ and Objective-C.
  static let c = Keywords([
    (
      .always,
      """
      auto break case char const continue default do double else enum extern float for goto if inline int long \
      register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while \
      _Alignas _Alignof _Atomic _Bool _Complex _Generic _Noreturn _Static_assert _Thread_local alignas alignof bool \
      catch class concept consteval constexpr constinit const_cast co_await co_return co_yield decltype delete \
      dynamic_cast explicit export false final friend mutable namespace new noexcept nullptr operator override \
      private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw \
      true try typeid typename typeof using virtual wchar_t char8_t char16_t char32_t id instancetype nil self super \
      SEL BOOL YES NO
      """
    )
  ])

  private let roles: [Key: Role]

  private init(_ lists: [(Role, String)]) {
    var roles: [Key: Role] = [:]
    for (role, list) in lists {
      for word in list.split(separator: " ") {
        let bytes = Array(word.utf8)
        if let key = Key(bytes, bytes.indices) { roles[key] = role }
      }
    }
    self.roles = roles
  }

  /// Returns the role of a word, or nil for an ordinary name.
  func role(of bytes: [UInt8], _ range: Range<Int>) -> Role? {
    Key(bytes, range).flatMap { roles[$0] }
  }
}
