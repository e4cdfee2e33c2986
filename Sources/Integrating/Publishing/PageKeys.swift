import FoundationEssentials
import Glibc
package import Rendering
import Synchronization

/// The inputs from which the pages of a report were made, so that the next report need not make pages that would be the
/// same.
///
/// They are kept beside the results and not in the report: anybody who knows the seed could choose a source whose page
/// would be replaced with that of another one.
package struct PageKeys: Sendable {
  /// The name of the file among an integration's kept files.
  static let fileName = "page-keys"

  /// The key and the files of one part of a report.
  package struct Entry: Hashable, Sendable {
    var key: PageKey
    /// The sizes of the files in bytes, by path.
    var sizes: [String: Int]

    /// Whether a report has exactly these files.
    func fits(_ report: Folder) -> Bool {
      sizes.allSatisfy { path, size in
        stat(report.file(path)).map { $0.isFile && Int($0.st_size) == size } ?? false
      }
    }
  }

  package let seed: PageHash.Seed
  /// The program that made the pages.
  let program: String
  /// The entries, by the path of the part's first file.
  private(set) var entries: [String: Entry] = [:]

  /// Creates keys without entries.
  package init(seed: PageHash.Seed, program: String) {
    self.seed = seed
    self.program = program
  }

  package mutating func add(_ entry: Entry, of path: String) { entries[path] = entry }

  /// The hash with which that of each part begins.
  package var hash: PageHash {
    var hash = PageHash(seed)
    hash.combine(program)
    return hash
  }

  /// The running program, distinguished from every other build of it by its file.
  package static var runningProgram: String {
    guard let status = stat("/proc/self/exe", followingLinks: true) else {
      return "unknown \(UInt64.random(in: 0 ... .max))"
    }
    return "\(status.st_ino) \(status.st_size) \(status.st_mtim.text)"
  }
}

extension PageKeys {
  /// The encoded keys: the seed and the program, then a line per file with its part's key, its size and its path.
  package var bytes: [UInt8] {
    var lines = ["martlet.page-keys/1", "\(seed.first) \(seed.second)", program]
    for (first, entry) in entries.sorted(by: { $0.key < $1.key }) {
      let others = entry.sizes.keys.filter { $0 != first }.sorted()
      for path in [first] + others { lines.append("\(entry.key.text) \(entry.sizes[path] ?? 0) \(path)") }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// Decodes what `bytes` encoded; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    // Split as bytes, because a report has hundreds of lines, and this is done before any page is made.
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count >= 4, lines[0].elementsEqual("martlet.page-keys/1".utf8), lines.last == [] else { return nil }
    let seeds = Self.words(of: lines[1], most: 2).compactMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    guard seeds.count == 2 else { return nil }
    self.init(seed: PageHash.Seed(seeds[0], seeds[1]), program: String(decoding: lines[2], as: UTF8.self))
    var first = ""
    for line in lines[3...].dropLast() {
      let words = Self.words(of: line, most: 3)
      guard words.count == 3, let key = PageKey(words[0]), let size = Int(String(decoding: words[1], as: UTF8.self))
      else { return nil }
      let path = String(decoding: words[2], as: UTF8.self)
      if entries[first]?.key != key {
        first = path
        entries[first] = Entry(key: key, sizes: [:])
      }
      entries[first]?.sizes[path] = size
    }
  }

  private static func words(of line: ArraySlice<UInt8>, most: Int) -> [ArraySlice<UInt8>] {
    line.split(separator: UInt8(ascii: " "), maxSplits: most - 1)
  }
}

/// The keys of a report while several threads write it.
final class PageKeyCollection: Sendable {
  private let keys: Mutex<PageKeys>

  init(_ keys: PageKeys) {
    self.keys = Mutex(keys)
  }

  func add(_ entry: PageKeys.Entry, of path: String) { keys.withLock { $0.add(entry, of: path) } }

  var all: PageKeys { keys.withLock { $0 } }
}
