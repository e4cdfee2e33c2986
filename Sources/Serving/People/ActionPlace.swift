import Model
import Rendering

/// What a page is about that somebody can have something done with.
struct ActionPlace: Hashable {
  let bot: String
  var integration: Int?
  var issue: String?

  /// Nil for what is no page about a bot.
  init?(ofPage path: [String]) {
    let names = path.last == "" ? path.dropLast() + ["index.html"] : path
    guard names.count > 1, let name = names.last, name.hasSuffix(".html"), ContentType.of(names).isShown else {
      return nil
    }
    bot = names[0]
    guard names.count > 2 else { return }
    integration = Int(names[1])
    if names.count == 4, names[2] == "issues", name != "index.html" { issue = String(name.dropLast(5)) }
  }

  /// Where the forms are.
  var address: String {
    let said = [integration.map { "integration=\($0)" }, issue.map { "issue=\(SiteAddress.encoded($0))" }]
      .compactMap(\.self)
    return "/actions/\(SiteAddress.encoded(bot))" + (said.isEmpty ? "" : "?" + said.joined(separator: "&"))
  }
}

extension SiteServer {
  /// The longest page that gets a link.
  private static let longestPage = 2_097_152

  /// A page of the disk with a link to what its reader may have done, which the page on the disk lacks: whoever opens that
  /// one has no server.
  func withActions(_ answer: HTTPAnswer?, _ path: [String], _ viewer: Viewer) -> HTTPAnswer? {
    guard var answer, case .file(let file, _) = answer.body, file.length <= Self.longestPage,
      let place = ActionPlace(ofPage: path), may(.ask, place.bot, viewer)
    else { return answer }
    var bytes = file.read(from: 0, atMost: file.length)
    guard let end = Self.endOfHeader(in: bytes) else { return answer }
    var link = Array("<a class=act href=\"".utf8)
    HTMLEscaper.append(place.address, to: &link)
    bytes.insert(contentsOf: link + Array("\">Actions</a>\n".utf8), at: end)
    answer.body = .bytes(bytes)
    // Another state than that of the page without.
    answer.headers = answer.headers.map { name, value in (name, name == "ETag" ? "\(value.dropLast())-ask\"" : value) }
    return answer
  }

  /// Returns where the header of a page ends; nil for a page without one.
  ///
  /// The library's search for a sequence takes 6 ms in a page of 24 kB, and nobody else is answered meanwhile.
  private static func endOfHeader(in page: [UInt8]) -> Int? {
    let mark = Array("</div></header>".utf8)
    return page.withUnsafeBufferPointer { page in
      mark.withUnsafeBufferPointer { mark in
        guard page.count >= mark.count else { return nil }
        var start = 0
        while start <= page.count - mark.count {
          var length = 0
          while length < mark.count, page[start + length] == mark[length] { length += 1 }
          if length == mark.count { return start }
          start += 1
        }
        return nil
      }
    }
  }
}
