import Rendering

/// A page made by the server itself, simple enough to need no template.
enum ServerPage {
  enum Part: ExpressibleByStringLiteral {
    /// HTML as written in the sources.
    case markup(StaticString)
    /// Text to be escaped.
    case text(String)

    init(stringLiteral value: StaticString) { self = .markup(value) }
  }

  /// Returns the page with its heading.
  static func bytes(title: String, _ parts: [Part]) -> [UInt8] {
    let whole: [Part] =
      [
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width\">\n",
        "<title>", .text(title), " · Martlet</title>\n<link rel=stylesheet href=/style.css>\n",
        "<header class=top><div>\n<nav class=crumbs aria-label=Breadcrumb><ol>\n<li><a class=mark href=/>Martlet</a>\n",
        "<li><span aria-current=page>", .text(title), "</span>\n</ol></nav>\n</div></header>\n",
        "<main id=content class=plain>\n<h1>", .text(title), "</h1>\n",
      ] + parts + ["</main>\n</html>\n"]
    var bytes: [UInt8] = []
    for part in whole {
      switch part {
      case .markup(let markup): markup.withUTF8Buffer { bytes += $0 }
      case .text(let text): HTMLEscaper.append(text, to: &bytes)
      }
    }
    return bytes
  }

  /// Returns an answer whose forms may be sent to this server and whose page is not cached.
  static func answer(
    status: Int = 200, title: String, _ parts: [Part], headers: [(name: String, value: String)] = []
  ) -> HTTPAnswer {
    let policy = HTTPAnswer.policy.replacing("form-action 'none'", with: "form-action 'self'")
    return HTTPAnswer(
      status: status, type: ContentType.page, body: bytes(title: title, parts),
      headers: [("Content-Security-Policy", policy), ("Cache-Control", "no-store")] + headers)
  }
}
