import Model
import Testing

@testable import Comparing

@Suite("What a package takes out of sight")
struct PackageOmissionTests {
  private func evidence(_ omissions: [PackageOmission], _ state: TestState = .passed) -> Verdict.Evidence {
    let tests = TestReport(results: [Finding.result("a", state)])
    var evidence = Verdict.Evidence(built: true, diagnostics: [], tests: tests)
    evidence.omissions = omissions
    return evidence
  }

  @Test("Each thing is told in a sentence of its own, behind what else there is to say")
  func sentences() {
    let omissions = [
      PackageOmission(.testsLeftOut, names: ["ShopTests.testX"]),
      PackageOmission(.testsLeftOut, names: (1...12).map { "ShopTests.test\($0)" }),
      PackageOmission(.coverageLeftOut, names: ["Sources/Shop/Till.swift"]),
      PackageOmission(.coverageLeftOut, names: ["Sources/A.swift", "Sources/B.swift"]),
      PackageOmission(.testsNotRun), PackageOmission(.analysisNotRun),
    ]
    let own = "The package's own .martlet.yml"
    let sentences = [
      "\(own) skips 1 test: ShopTests.testX.",
      "\(own) skips 12 tests: \((1...10).map { "ShopTests.test\($0)" }.joined(separator: ", ")) and 2 more.",
      "\(own) leaves 1 file out of coverage: Sources/Shop/Till.swift.",
      "\(own) leaves 2 files out of coverage: Sources/A.swift, Sources/B.swift.",
      "\(own) turns the tests off.", "\(own) turns the analyze action off.",
    ]
    #expect(Verdict.of(evidence(omissions)).told == ToldVerdict(.succeeded, sentences))
    #expect(Verdict.of(evidence(omissions, .failed)).told == ToldVerdict(.testFailures, ["1 test failed."] + sentences))
  }

  @Test("Where nothing was built, nothing would have been seen anyway")
  func notBuilt() {
    var evidence = evidence([PackageOmission(.testsNotRun)])
    evidence.built = false
    evidence.diagnostics = [Finding.diagnostic(.error, "no")]
    #expect(Verdict.of(evidence).sentences == ["The build failed with 1 error."])
  }

  @Test("Tests that are told by name are not missed a second time")
  func counted() {
    var evidence = evidence([PackageOmission(.testsLeftOut, names: ["ShopTests.testX"])])
    evidence.testsBefore = 2
    #expect(Verdict.of(evidence).outcome == .succeeded)
    evidence.testsBefore = 3
    #expect(Verdict.of(evidence).sentences.first == "1 test fewer than before, although no test source changed.")
  }

  @Test("The codes are what other programs go by")
  func codes() {
    #expect(
      PackageOmission.Code.allCases.map(\.rawValue) == [
        "package-runs-no-tests", "package-leaves-out-tests", "package-runs-no-analysis",
        "package-leaves-out-coverage",
      ])
  }
}
