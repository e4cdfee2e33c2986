/// A bug report that a test refers to.
package struct TestBug: Hashable, Sendable, Codable {
  package var url: String?
  package var id: String?
  package var title: String?

  package init(url: String? = nil, id: String? = nil, title: String? = nil) {
    self.url = url
    self.id = id
    self.title = title
  }
}
