import Parsing
import Testing

@Suite("Dependencies in folders")
struct LocalDependenciesTests {
  private func read(_ text: String) -> [String]? { LocalDependencies.read(Array(text.utf8)) }

  @Test("Are those that SwiftPM takes as they lie there")
  func folders() {
    let text = """
      {"object": {"dependencies": [
        {"packageRef": {"identity": "dep", "kind": "fileSystem", "location": "/srv/Dep", "name": "Dep"},
         "state": {"name": "fileSystem", "path": "/srv/Dep"}},
        {"packageRef": {"identity": "log", "kind": "localSourceControl", "location": "/srv/Log", "name": "Log"}},
        {"packageRef": {"identity": "nio", "kind": "remoteSourceControl", "location": "https://example.org/nio"}}
      ]}, "version": 7}
      """
    #expect(read(text) == ["/srv/Dep"])
    #expect(read(#"{"object": {"dependencies": []}, "version": 7}"#) == [])
  }

  @Test("Are unknown without such a file")
  func unknown() {
    #expect(read("") == nil && read("{}") == nil)
  }
}
