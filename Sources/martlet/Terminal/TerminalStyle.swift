/// Colors and weight on a terminal, using the escape sequences of ECMA-48; none if they are not wanted.
struct TerminalStyle: Sendable {
  enum Colour: Int, Sendable {
    case red = 31
    case green, yellow
  }

  let isColoured: Bool

  func bold(_ text: String) -> String { wrapped(text, in: 1) }

  func coloured(_ text: String, _ colour: Colour?) -> String {
    colour.map { wrapped(text, in: $0.rawValue) } ?? text
  }

  private func wrapped(_ text: String, in code: Int) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
