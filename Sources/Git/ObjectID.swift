import CLibgit2
import Model

/// The name of a git object as libgit2 represents it, made comparable and hashable.
struct ObjectID: Hashable, Sendable {
  var raw: git_oid

  init(_ raw: git_oid) {
    self.raw = raw
  }

  /// The name of a tree that is open.
  init?(ofTree pointer: OpaquePointer) {
    guard let id = git_tree_id(pointer) else { return nil }
    self.init(id.pointee)
  }

  /// Parses forty hexadecimal digits; nil for anything else.
  init?(hexadecimal text: String) {
    guard text.utf8.count == Int(GIT_OID_HEXSZ), text.utf8.allSatisfy({ $0 != 0 }) else { return nil }
    var raw = git_oid()
    guard git_oid_fromstr(&raw, text) == 0 else { return nil }
    self.raw = raw
  }

  /// Computes the name of a blob with these bytes. Writes nothing.
  init(hashing content: [UInt8]) {
    var raw = git_oid()
    // This fails only when memory runs out.
    _ = content.withUnsafeBytes { git_odb_hash(&raw, $0.baseAddress, $0.count, GIT_OBJECT_BLOB) }
    self.raw = raw
  }

  var bytes: [UInt8] {
    withUnsafeBytes(of: raw) { Array($0) }
  }

  /// Forty lowercase hexadecimal digits.
  var hexadecimal: String { bytes.hexadecimal }

  var commitID: CommitID { CommitID(rawValue: hexadecimal) }

  static func == (one: ObjectID, other: ObjectID) -> Bool {
    withUnsafeBytes(of: one.raw) { one in withUnsafeBytes(of: other.raw) { one.elementsEqual($0) } }
  }

  func hash(into hasher: inout Hasher) {
    withUnsafeBytes(of: raw) { hasher.combine(bytes: $0) }
  }
}

extension CommitID {
  /// Returns the name as libgit2 represents it.
  func objectID() throws(GitError) -> ObjectID {
    guard let id = ObjectID(hexadecimal: rawValue) else {
      throw GitError(
        .unknownRevision, "Cannot use \(rawValue.quoted) as the name of a commit",
        because: "it is not forty hexadecimal digits", next: "Resolve a branch, tag or abbreviated name first.")
    }
    return id
  }
}
