import Foundation
import Rendering
import Testing

@Suite("Folders of templates")
struct TemplateFolderTests {
  @Test("A template is named by its path in the folder, without the ending")
  func names() throws {
    let files = ["page.mustache": "{{>partials/head}}{{>a.b}}", "partials/head.mustache": "H", "a.b.mustache": "B"]
    try withFolder(files) { (folder) throws in
      let library = try TemplateLibrary(folder: folder)
      #expect(try text(library) == "HB")
      #expect(try text(TemplateLibrary(folder: folder + "//")) == "HB")
    }
  }

  @Test("Files with another ending, hidden files and hidden folders are left out")
  func leftOut() throws {
    let broken = "{{#"
    let files = [
      "page.mustache": "x", "page.mustache~": broken, "style.css": broken, ".page.mustache": broken,
      ".git/x.mustache": broken, "mustache": broken,
    ]
    try withFolder(files) { (folder) throws in
      #expect(try text(TemplateLibrary(folder: folder)) == "x")
    }
  }

  @Test("Another ending can be chosen, and a byte order mark is left out")
  func ending() throws {
    try withFolder(["page.html": "\u{FEFF}x"]) { (folder) throws in
      #expect(try text(TemplateLibrary(folder: folder, extension: "html")) == "x")
    }
  }

  @Test("An overlay replaces the templates of the same name and adds others")
  func overlay() throws {
    let library = try TemplateLibrary(sources: ["page": "{{>a}}{{>b}}", "a": "a", "b": "b"])
    try withFolder(["b.mustache": "B{{>c}}", "c.mustache": "C"]) { (folder) throws in
      #expect(try text(library.overlaid(by: folder)) == "aBC")
      #expect(try text(library) == "ab")
    }
  }

  @Test("A mistake in a file is shown with the path of the file")
  func path() throws {
    try withFolder(["page.mustache": "{{>parts/row}}", "parts/row.mustache": "{{x}}"]) { (folder) throws in
      let error = #expect(throws: TemplateError.self) { try text(TemplateLibrary(folder: folder)) }
      #expect(
        error?.description == """
          Template \(folder)/parts/row.mustache:1:1: nothing in the data is called "x".
            {{x}}
            ^
            included from \(folder)/page.mustache:1:1
          Known here: none.
          """)
    }
  }

  @Test("A file that is not UTF-8 is refused at its first bad byte")
  func invalid() throws {
    try withFolder([:]) { (folder) throws in
      let bytes = Array("é\nab".utf8) + [0xC3, 0x28] + Array("c\n".utf8)
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/page.mustache"))
      let error = #expect(throws: TemplateError.self) { try TemplateLibrary(folder: folder) }
      #expect(
        error?.description == """
          Template \(folder)/page.mustache:2:3: the file is not valid UTF-8 from here on.
            ab\u{FFFD}(c
              ^
          Save the file in UTF-8.
          """)
    }
  }

  @Test("A folder that is not there is named with the reason")
  func missing() throws {
    try withFolder(["file": ""]) { (folder) throws in
      for (path, reason) in [("none", "No such file or directory"), ("file", "Not a directory")] {
        let error = #expect(throws: TemplateError.self) { try TemplateLibrary(folder: "\(folder)/\(path)") }
        #expect(
          error?.description == """
            Template \(folder)/\(path): the folder cannot be read: \(reason).
            Name a folder that exists and that this user may read.
            """)
      }
    }
  }

  @Test("A folder without templates is an error, also as an overlay")
  func empty() throws {
    try withFolder(["page.html": ""]) { (folder) throws in
      let error = #expect(throws: TemplateError.self) {
        try TemplateLibrary(sources: [:]).overlaid(by: folder)
      }
      #expect(
        error?.description == """
          Template \(folder): the folder holds no file that ends in .mustache.
          Name a folder with templates in it.
          """)
    }
  }

  @Test("A link that leads nowhere is an error, and a link to a folder is not followed")
  func links() throws {
    try withFolder(["page.mustache": "x"]) { (folder) throws in
      let manager = FileManager.default
      try manager.createSymbolicLink(atPath: folder + "/loop", withDestinationPath: ".")
      #expect(try text(TemplateLibrary(folder: folder)) == "x")
      try manager.createSymbolicLink(atPath: folder + "/gone.mustache", withDestinationPath: "nowhere")
      let error = #expect(throws: TemplateError.self) { try TemplateLibrary(folder: folder) }
      #expect(
        error?.description == """
          Template \(folder)/gone.mustache: the file cannot be read: No such file or directory.
          Make it a file that this user may read, or take it out of the folder.
          """)
    }
  }

  private func text(_ library: TemplateLibrary) throws -> String {
    String(decoding: try library.render("page", [:]), as: UTF8.self)
  }

  private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    try body(folder.path)
  }
}
