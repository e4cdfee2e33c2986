import FoundationEssentials
import Glibc
import Model
import Testing

@Suite("What the system said")
struct SystemReasonTests {
  @Test(
    "Foundation's errors are told in the system's words",
    arguments: [
      (CocoaError(.fileWriteOutOfSpace) as any Error & Sendable, "No space left on device"),
      (CocoaError(.fileWriteNoPermission), "Permission denied"),
      (CocoaError(.fileNoSuchFile), "No such file or directory"),
      (POSIXError(.EROFS), "Read-only file system"),
      (CocoaError(CocoaError.Code(rawValue: 9999)), "the file system refused it (Cocoa error 9999)"),
    ])
  func words(error: any Error & Sendable, words: String) {
    #expect(SystemReason.of(error) == words)
  }

  @Test("An error of a real call, and one that is none of Foundation's")
  func real() {
    let error = #expect(throws: (any Error).self) { try FileManager.default.removeItem(atPath: "/proc/nothing") }
    #expect(error.map(SystemReason.of) == "No such file or directory")
    struct Own: Error, CustomStringConvertible { var description = "It rained." }
    #expect(SystemReason.of(Own()) == "It rained.")
  }
}
