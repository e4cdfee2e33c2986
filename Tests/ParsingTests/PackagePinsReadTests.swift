import Model
import Parsing
import Testing

@Suite("What a Package.resolved says")
struct PackagePinsReadTests {
  private let revision = "32f00a805763206108a46c5fa0d146920ee87a69"

  private func read(_ text: String) -> PackagePins? { PackagePins.read(Array(text.utf8)) }

  @Test("A Package.resolved of version 1 names packages by their manifests; their places give the identities")
  func first() {
    let text = """
      {
        "object": {
          "pins": [
            {
              "package": "Log",
              "repositoryURL": "https://example.org/apple/Swift-Log.git",
              "state": {"branch": null, "revision": "\(revision)", "version": "1.0.0"}
            },
            {
              "package": "Dep",
              "repositoryURL": "git@example.org:Dep",
              "state": {"branch": "main", "revision": "\(revision)", "version": null}
            }
          ]
        },
        "version": 1
      }
      """
    #expect(
      read(text)?.pins == [
        .init("dep", branch: "main", revision: revision), .init("swift-log", version: "1.0.0", revision: revision),
      ])
  }

  @Test(
    "Versions 2 and 3 name the identities, and pin versions, branches, commits and what a registry gave",
    arguments: [2, 3])
  func later(version: Int) {
    let text = """
      {
        "originHash" : "5f48316808fd3123f1b85b171ac86969c0e94c208054640eee9e08efa317a1c3",
        "pins" : [
          {
            "identity" : "xctest-dynamic-overlay",
            "kind" : "remoteSourceControl",
            "location" : "https://example.org/xctest-dynamic-overlay",
            "state" : { "revision" : "\(revision)", "version" : "1.9.0" }
          },
          {
            "identity" : "branched", "kind" : "localSourceControl", "location" : "/srv/Branched",
            "state" : { "branch" : "main", "revision" : "\(revision)" }
          },
          { "identity" : "bare", "kind" : "localSourceControl", "state" : { "revision" : "\(revision)" } },
          { "identity" : "scope.registered", "kind" : "registry", "location" : "", "state" : { "version" : "2.0.0" } }
        ],
        "version" : \(version)
      }
      """
    #expect(
      read(text)?.pins == [
        .init("bare", revision: revision), .init("branched", branch: "main", revision: revision),
        .init("scope.registered", version: "2.0.0"),
        .init("xctest-dynamic-overlay", version: "1.9.0", revision: revision),
      ])
  }

  @Test(
    "Of another version nothing is known, and neither of what is no such file",
    arguments: [
      "", "[]", "<<<<<<< HEAD", #"{"pins":[],"version":4}"#, #"{"pins":[]}"#, #"{"version":3}"#,
      #"{"pins":[],"version":1}"#, #"{"object":{"pins":[]},"version":2}"#, #"{"pins":[],"version":"3"}"#,
      #"{"pins":[{"state":{}}],"version":3}"#, #"{"pins":[],"version":3} x"#,
    ])
  func unknown(text: String) {
    #expect(read(text) == nil)
  }
}
