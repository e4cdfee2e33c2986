import CCurl

/// The library that sends mail and webhooks, loaded on demand.
package enum CurlLibrary {
  /// The reason nothing can be sent, with the command that fixes it, as words that follow a colon; nil if sending is
  /// possible.
  package static var trouble: String? {
    ccurl_open().map { "\(String(cString: $0)). Run: apt-get install libcurl4" }
  }
}
