import CCurl

/// The library that mail and webhooks are sent with; it is opened when it is needed.
package enum CurlLibrary {
  /// Why nothing can be sent, with the command that mends it, as words that follow a colon; nil when it can be.
  package static var trouble: String? {
    ccurl_open().map { "\(String(cString: $0)). Run: apt-get install libcurl4" }
  }
}
