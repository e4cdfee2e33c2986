import Model
import Testing

@testable import Integrating

@Suite("File names of attachments")
struct AttachmentNameTests {
  private func name(_ name: String, _ picture: TestAttachment.Picture? = nil, number: Int = 1) -> String {
    AttachmentName(TestAttachment(name: name, picture: picture)).text(number)
  }

  @Test(
    "Plain names stay, and everything else becomes harmless",
    arguments: [
      ("note.txt", "note.txt"), ("data.JSON", "data.JSON"), ("a b/c d.csv", "c-d.csv"),
      ("../../etc/passwd", "passwd.bin"),
      ("page.html", "page.html.bin"), ("drawing.svg", "drawing.svg.bin"), ("", "attachment.bin"),
      ("..", "attachment.bin"),
      (".hidden", "hidden.bin"), ("Größe.txt", "Gr-e.txt"), ("-rf", "rf.bin"), ("nul\0.txt", "nul-.txt"),
    ])
  func names(given: String, expected: String) {
    #expect(name(given) == expected)
  }

  @Test("A picture has the ending of what it is")
  func pictures() {
    #expect(name("chart.png", .png) == "chart.png")
    #expect(name("photo.JPG", .jpeg) == "photo.JPG")
    #expect(name("page.html", .png) == "page.html.png")
    #expect(name("chart.txt", .gif) == "chart.gif")
  }

  @Test("Later attachments of one name are numbered, and long names are cut")
  func numbers() {
    #expect(name("note.txt", number: 2) == "note-2.txt")
    #expect(name(String(repeating: "a", count: 500) + ".txt") == String(repeating: "a", count: 80) + ".txt")
  }
}
