import FoundationEssentials
import Model

/// The growing files of an integration that is carried out for another machine: its news and its logs.
struct MachineTail {
  private let folder: Folder
  private let log: Folder
  /// How much was read of each file.
  private var sizes: [String: Int]
  private var newsSize = 0

  /// The most bytes of a log in one line.
  private static let piece = 1 << 17

  /// - Parameter sizes: how much of each log is known elsewhere.
  init(of folder: Folder, log: Folder, sizes: [String: Int]) {
    self.folder = folder
    self.log = log
    self.sizes = sizes
  }

  mutating func news() throws -> [MachineNews] {
    var found = try lines().map { MachineNews.news($0) }
    for name in log.names() where name.hasSuffix(".log") {
      let known = sizes[name] ?? 0
      let size = log.size(of: name)
      // A log that was written anew, or is another attempt's, comes with the result.
      guard size > known else { continue }
      let bytes = log.piece(of: name, from: known, bytes: min(size - known, Self.piece))
      guard !bytes.isEmpty else { continue }
      sizes[name] = known + bytes.count
      found.append(.log(name: name, offset: known, bytes: Data(bytes)))
    }
    return found
  }

  /// Returns the news of which the whole line is there, but for the last one: the result says more.
  private mutating func lines() throws -> [IntegrationNews] {
    let size = folder.size(of: HandoverFolder.news)
    guard size > newsSize else { return [] }
    let bytes = folder.piece(of: HandoverFolder.news, from: newsSize, bytes: size - newsSize)
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    newsSize += end + 1
    return bytes[...end].split(separator: UInt8(ascii: "\n")).compactMap { line in
      // Whatever else is printed there is no news.
      guard let news = try? JSONDecoder().decode(IntegrationNews.self, from: Data(line)) else { return nil }
      if case .finished = news { return nil }
      return news
    }
  }
}
