import Integrating
import Model
import Rendering

extension SiteServer {
  private func redirect(to path: String, _ headers: [(name: String, value: String)]) -> HTTPAnswer {
    HTTPAnswer(
      status: 303, type: ContentType.plainText, body: [],
      headers: [("Location", path), ("Cache-Control", "no-store")] + headers)
  }

  /// Begins a session for who sends a token, and leads back to where that one came from.
  func logIn(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    try AccessGate.refuseForeign(call.request)
    let session = try access.session(by: call.text("token").filter { !$0.isWhitespace }, from: call.request)
    return redirect(
      to: Self.ownPath(call.text("next")), [Session.cookie(session, isSecure: isSecure(call.request), now: clock())])
  }

  /// Ends the session of who asks.
  func logOut(_ call: EndpointCall) throws(Problem) -> HTTPAnswer {
    try AccessGate.refuseForeign(call.request)
    return redirect(to: "/", [Session.cookie(nil, isSecure: isSecure(call.request), now: clock())])
  }

  /// A path of this server, whatever a link of somebody else says.
  static func ownPath(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
    return isPlain && text.hasPrefix("/") && !text.hasPrefix("//") ? text : "/"
  }

  /// The form to log in, or who did.
  func loginPage(_ call: EndpointCall) -> HTTPAnswer {
    let (viewer, next) = (call.viewer, call.optionalText("next") ?? "/")
    var parts: [ServerPage.Part] = []
    let name = viewer.name.map(VisibleText.of)
    if name != nil {
      let bots = ((try? overviews.all(where: sees(viewer))) ?? []).map(\.name)
        .filter { may(.ask, $0, viewer) }
      if !bots.isEmpty {
        parts += ["<h2>Actions</h2>\n<ul>\n"]
        for bot in bots {
          let path = SiteAddress.encoded(bot)
          parts += ["<li><a href=\"/actions/", .text(path), "\">", .text(VisibleText.of(bot)), "</a>\n"]
        }
        parts += ["</ul>\n"]
      }
    }
    if case .session = viewer.proof {
      parts += ["<form method=post action=/logout><p><button class=quiet>Log out</button></p></form>\n"]
    } else if name == nil {
      parts += [
        // Password managers keep a name with each password; without a name of its own the field is not sent.
        "<form method=post action=/login>\n<p><input hidden autocomplete=username value=martlet><label>Token ",
        "<input type=password name=token required autocomplete=current-password></label> ",
        "<button class=quiet>Log in</button></p>\n<input type=hidden name=next value=\"", .text(Self.ownPath(next)),
        "\">\n</form>\n<p>Make a token on the server’s machine: <code>martlet tokens new</code></p>\n",
      ]
    }
    return ServerPage.answer(title: name.map { "Logged in as \($0)" } ?? "Log in", parts)
  }
}
