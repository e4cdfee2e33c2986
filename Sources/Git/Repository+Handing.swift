import CLibgit2
import Glibc
import Model

/// A branch, a tag or another reference, and the object that it names: a commit, or the object of an annotated tag.
package struct NamedObject: Hashable, Sendable, Codable {
  package var name: String
  /// The object's full name.
  package var object: String

  package init(name: String, object: String) {
    (self.name, self.object) = (name, object)
  }
}

extension Repository {
  /// Returns the references that begin with a prefix, such as `refs/heads/`, and lead to commits, sorted.
  package func namedObjects(_ prefix: String) throws(GitError) -> [NamedObject] {
    let what = "Cannot read the references of \(path.quoted)"
    var objects: [NamedObject] = []
    for name in try referenceNames(prefix) {
      var raw = git_oid()
      // A reference that leads nowhere, or to a file, as tags may, is of no use elsewhere.
      guard git_reference_name_to_id(&raw, handle.pointer, name) == 0 else { continue }
      let id = ObjectID(raw)
      if try way(from: id, what) != nil { objects.append(NamedObject(name: name, object: id.commitID.rawValue)) }
    }
    return objects
  }

  /// Writes what another repository lacks into a pack in a folder.
  ///
  /// - Parameters:
  ///   - wanted: The full names of commits and of annotated tags that the other repository is to have.
  ///   - known: Those that it has, with all that they lead to; names unknown here are ignored.
  /// - Returns: The path of the pack; nil if nothing is lacking.
  package func pack(_ wanted: [String], besides known: [String], in folder: String) throws(GitError) -> String? {
    let what = "Cannot pack commits of \(path.quoted)"
    let builder = try Handle<PackBuilderKind>(what) { git_packbuilder_new(&$0, handle.pointer) }
    let walk = try Handle<WalkKind>(what) { git_revwalk_new(&$0, handle.pointer) }
    let known = Set(known)
    for name in known {
      guard let id = ObjectID(hexadecimal: name), let way = try way(from: id, what) else { continue }
      var raw = way.commit.raw
      try check(git_revwalk_hide(walk.pointer, &raw), what)
    }
    for name in Set(wanted).subtracting(known).sorted() {
      guard let id = ObjectID(hexadecimal: name), let way = try way(from: id, what) else { continue }
      for tag in way.tags {
        var raw = tag.raw
        try check(git_packbuilder_insert(builder.pointer, &raw, nil), what)
      }
      var raw = way.commit.raw
      try check(git_revwalk_push(walk.pointer, &raw), what)
    }
    try check(git_packbuilder_insert_walk(builder.pointer, walk.pointer), what)
    guard git_packbuilder_object_count(builder.pointer) > 0 else { return nil }
    try check(git_packbuilder_write(builder.pointer, folder, 0o600, nil, nil), what)
    guard let name = git_packbuilder_name(builder.pointer) else {
      throw GitError(code: GIT_ERROR.rawValue, doing: what)
    }
    return "\(folder)/pack-\(String(cString: name)).pack"
  }

  /// Returns the commit that an object is or, as a tag, leads to, and the tags on the way, itself included; nil if this
  /// repository lacks one of them, or if it leads to something else, such as a file.
  private func way(from id: ObjectID, _ what: String) throws(GitError) -> (tags: [ObjectID], commit: ObjectID)? {
    var (next, tags) = (id, [ObjectID]())
    while true {
      var (raw, found) = (next.raw, OpaquePointer?.none)
      let code = git_object_lookup(&found, handle.pointer, &raw, GIT_OBJECT_ANY)
      if code == GIT_ENOTFOUND.rawValue { return nil }
      try check(code, what)
      guard let found else { return nil }
      let object = Handle<ObjectKind>(owning: found)
      let type = git_object_type(object.pointer)
      if type == GIT_OBJECT_COMMIT { return (tags, next) }
      guard type == GIT_OBJECT_TAG, let target = git_tag_target_id(object.pointer) else { return nil }
      tags.append(next)
      next = ObjectID(target.pointee)
    }
  }
}

extension Repository {
  /// Adds the objects of a pack to this repository, which must be Martlet's own copy.
  package func add(packAt file: String) throws(GitError) {
    let what = "Cannot add the commits in \(file.quoted) to \(path.quoted)"
    let database = try Handle<DatabaseKind>(what) { git_repository_odb(&$0, handle.pointer) }
    var options = git_indexer_options()
    try check(git_indexer_options_init(&options, UInt32(GIT_INDEXER_OPTIONS_VERSION)), what)
    let indexer = try Handle<IndexerKind>(what) {
      git_indexer_new(&$0, "\(commonPath)/objects/pack", 0o444, database.pointer, &options)
    }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw GitError(errno: errno, doing: what) }
    defer { close(descriptor) }
    var progress = git_indexer_progress()
    try StateFile.read(descriptor, what) { piece throws(GitError) in
      try check(git_indexer_append(indexer.pointer, Array(piece), piece.count, &progress), what)
    }
    try check(git_indexer_commit(indexer.pointer, &progress), what)
  }

  /// Makes the references that begin with some prefixes the given ones, and lets HEAD point to a branch. This repository
  /// must be Martlet's own copy.
  package func take(_ references: [NamedObject], replacing prefixes: [String], head: String?) throws(GitError) {
    let what = "Cannot update the copy \(path.quoted)"
    let wanted = Dictionary(references.map { ($0.name, $0.object) }, uniquingKeysWith: { $1 })
    var present: [String: String] = [:]
    for prefix in prefixes {
      for old in try namedObjects(prefix) { present[old.name] = old.object }
    }
    // First those that are gone, which may be in the way of others: a branch and a folder of branches.
    for name in present.keys where wanted[name] == nil { try check(git_reference_remove(handle.pointer, name), what) }
    for (name, object) in wanted.sorted(by: { $0.key < $1.key }) where present[name] != object {
      guard prefixes.contains(where: name.hasPrefix), let id = ObjectID(hexadecimal: object) else {
        throw GitError(
          .other, what, because: "\(name.quoted) is no reference to take", next: "This is a fault of Martlet.")
      }
      var (raw, made) = (id.raw, OpaquePointer?.none)
      let code = git_reference_create(&made, handle.pointer, name, &raw, 1, "martlet: copy")
      git_reference_free(made)
      try check(code, what)
    }
    if let head { try check(git_repository_set_head(handle.pointer, head), what) }
  }
}

enum PackBuilderKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_packbuilder_free(pointer) }
}

enum WalkKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_revwalk_free(pointer) }
}

enum IndexerKind: HandleKind {
  static func free(_ pointer: OpaquePointer) { git_indexer_free(pointer) }
}
