extension Bot {
  /// A setting that this version of Martlet reads and does not act on yet.
  package struct Unfulfilled: Hashable, Sendable {
    /// The way to the setting in the bot's file.
    package var path: [String]
    /// What does not happen, as a sentence.
    package var sentence: String
  }

  /// What the bot is set to and does not do yet, so that nobody relies on it in silence; at present every setting works.
  package var unfulfilled: [Unfulfilled] { [] }
}
