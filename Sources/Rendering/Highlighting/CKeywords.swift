/// The words of C, C++ and Objective-C.
struct CKeywords: Sendable {
  static let shared = CKeywords()

  private static let list = """
    auto break case char const continue default do double else enum extern float for goto if inline int long register \
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Alignas \
    _Alignof _Atomic _Bool _Complex _Generic _Noreturn _Static_assert _Thread_local alignas alignof bool catch class \
    concept consteval constexpr constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit \
    export false final friend mutable namespace new noexcept nullptr operator override private protected public \
    reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename \
    typeof using virtual wchar_t char8_t char16_t char32_t id instancetype nil self super SEL BOOL YES NO
    """

  private let words: Set<ArraySlice<UInt8>>
  private let longest: Int

  private init() {
    words = Set(Self.list.utf8.split(separator: UInt8(ascii: " ")).map { ArraySlice(Array($0)) })
    longest = words.map(\.count).max() ?? 0
  }

  func contains(_ word: ArraySlice<UInt8>) -> Bool { word.count <= longest && words.contains(word) }

  /// Whether a word in front of a quote tells the kind of the literal.
  static func isPrefix(_ word: ArraySlice<UInt8>) -> Bool {
    word.count <= 2 && ["", "L", "u", "U", "u8"].contains { word.elementsEqual($0.utf8) }
  }
}
