import Foundation
import Processes
import Testing

@Suite("A few attempts of the siege", .timeLimit(.minutes(20)))
struct SiegeTests {
  private static let variables = ProcessInfo.processInfo.environment.filter { $0.key == "PATH" }

  /// Whether the script can be run, which is written in Python, and attacks what is contained.
  private static let canAttack: Bool = {
    let run = try? Program.run("/usr/bin/env", ["python3", "-c", ""], environment: variables, in: "/")
    guard run?.status == 0, let cancellation = try? Cancellation(),
      case .works? = try? Bubblewrap.find(searchPath: variables["PATH"] ?? "", cancellation: cancellation)
    else { return false }
    return true
  }()

  @Test("None of them goes through", .enabled(if: canAttack, "There is no python3, or bubblewrap does not work here."))
  func siege() async throws {
    let scratch = try ScratchFolder("siege")
    var variables = Self.variables
    variables["TMPDIR"] = scratch.path
    let (script, environment) = (Checkout.folder("script/siege"), variables)
    // It takes minutes, in which other tests have a thread to run on.
    let run = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try Program.run(
              script, ["--short", "--as", "root", Program.path], environment: environment, in: scratch.path)
          })
      }
    }
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains(" 0 went through, 0 could not be made\n"), "\(run.output)")
  }
}
