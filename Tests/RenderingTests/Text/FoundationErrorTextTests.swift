import Testing

@testable import Rendering

@Suite("Errors of Foundation in a line")
struct FoundationErrorTextTests {
  private static let unresolved = """
    Error Domain=NSURLErrorDomain Code=-1003 "(null)"UserInfo={NSUnderlyingError=Error Domain=NSURLErrorDomain \
    Code=-1003 "(null)"UserInfo={NSLocalizedDescription=Could not resolve host: example.org}, \
    NSErrorFailingURLKey=https://example.org/, NSLocalizedDescription=Could not resolve host: example.org}
    """

  @Test(
    "Each is its sentence with domain and code, and what stands around it stays",
    arguments: [
      ("Caught error: \(unresolved)", "Caught error: Could not resolve host: example.org (NSURLErrorDomain -1003)"),
      (
        "\(unresolved); then \(unresolved).",
        "Could not resolve host: example.org (NSURLErrorDomain -1003); then "
          + "Could not resolve host: example.org (NSURLErrorDomain -1003)."
      ),
      (
        #"threw error "Error Domain=NSCocoaErrorDomain Code=260 "There is no such file."" - here"#,
        #"threw error "There is no such file. (NSCocoaErrorDomain 260)" - here"#
      ),
      (
        #"Error Domain=D Code=1 "(null)"UserInfo={NSLocalizedDescription=No, or not yet, NSFilePath=/a}"#,
        "No, or not yet (D 1)"
      ),
      // Without a sentence, cut off, or not one of Foundation's.
      (#"Error Domain=D Code=1 "(null)""#, #"Error Domain=D Code=1 "(null)""#),
      ("Error Domain=", "Error Domain="), ("Error Domain=D Code=", "Error Domain=D Code="),
      (#"Error Domain=D Code=x "y""#, #"Error Domain=D Code=x "y""#), ("nothing of it", "nothing of it"),
    ])
  func reduced(text: String, expected: String) {
    #expect(FoundationErrorText.reduced(text) == expected)
  }
}
