/// What the system, libcurl and Foundation say where there is no network.
package enum NetworkFailure {
  private static let signs = [
    "Could not resolve host", "Temporary failure in name resolution", "Name or service not known",
    "Network is unreachable", "NSURLErrorDomain Code=-1003", "NSURLErrorDomain Code=-1009",
  ]

  /// Whether a failure's message has one of these signs.
  package static func isTold(in message: String) -> Bool { signs.contains { message.contains($0) } }
}
