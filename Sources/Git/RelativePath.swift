/// A path inside a repository as git's bytes, which need not be UTF-8, with a terminating zero for C.
struct RelativePath: Hashable, Comparable, Sendable {
  let characters: [CChar]

  init(_ characters: UnsafePointer<CChar>) {
    var count = 0
    while characters[count] != 0 { count += 1 }
    self.characters = Array(UnsafeBufferPointer(start: characters, count: count + 1))
  }

  init(_ bytes: some Sequence<UInt8>) {
    characters = bytes.filter { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
  }

  init(_ text: String) {
    self.init(text.utf8)
  }

  var bytes: [UInt8] { characters.dropLast().map { UInt8(bitPattern: $0) } }

  /// The path as text, with bytes that are not UTF-8 replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  var lastComponent: [UInt8] {
    Array(bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? [])
  }

  /// Whether it names something in a folder, and in that folder only: libgit2 reads whatever a tree calls its entries, which
  /// may be `..` or the path of another folder. Nor can it be the folder of a repository.
  var isName: Bool {
    let bytes = bytes
    return !["", ".", "..", ".git"].contains(String(decoding: bytes, as: UTF8.self))
      && !bytes.contains(UInt8(ascii: "/"))
  }

  /// The folders that contain the path, outermost first.
  var folders: [RelativePath] {
    let bytes = bytes
    return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { RelativePath(bytes[..<$0]) }
  }

  func appending(_ other: RelativePath) -> RelativePath {
    RelativePath(bytes + [UInt8(ascii: "/")] + other.bytes)
  }

  static func < (one: RelativePath, other: RelativePath) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }
}
