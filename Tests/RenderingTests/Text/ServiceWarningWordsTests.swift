import Model
import Rendering
import Testing

@Suite("What is told of what Martlet could not do")
struct ServiceWarningWordsTests {
  private static let old = "1a2b3c4d5e6f1a2b3c4d5e6f1a2b3c4d5e6f1a2b"
  private static let new = "5d6e7f8a9b0c5d6e7f8a9b0c5d6e7f8a9b0c5d6e"

  private func pin(_ name: String, _ version: String, _ revision: String? = nil) -> PackagePins.Pin {
    PackagePins.Pin(name, version: version, revision: revision)
  }

  @Test("Versions are told by their names, and where names are equal or there is none, with commits")
  func departures() {
    let departures: [PackagePins.Departure] = [
      .init(pinned: pin("a", "1.9.0", Self.old), used: pin("a", "1.2.2", Self.new)),
      .init(pinned: pin("b", "1.0.0", Self.old), used: pin("b", "1.0.0", Self.new)),
      .init(pinned: .init("c", branch: "main", revision: Self.old), used: pin("c", "2.0.0", Self.new)),
      .init(pinned: pin("d", "3.0.0", Self.old), used: nil),
      .init(pinned: .init("e", revision: Self.old), used: .init("e", revision: Self.new)),
    ]
    #expect(
      ServiceWarning.pinsNotFollowed(departures, ofWorkTree: false).sentence
        == "Package.resolved of the commit was not followed: a 1.9.0 → 1.2.2, b 1.0.0, 1a2b3c4 → 1.0.0, 5d6e7f8, c main → 2.0.0, d 3.0.0 → not used, e 1a2b3c4 → 5d6e7f8."
    )
  }

  @Test("Of many versions that were not followed five are named")
  func many() {
    let departures = (1...7).map { PackagePins.Departure(pinned: pin("p\($0)", "1.0.0"), used: pin("p\($0)", "1.1.0")) }
    let named = (1...5).map { "p\($0) 1.0.0 → 1.1.0" }.joined(separator: ", ")
    #expect(
      ServiceWarning.pinsNotFollowed(departures, ofWorkTree: true).sentence
        == "Package.resolved of the work tree was not followed: \(named), and 2 more.")
  }

  @Test("Pointers of Git LFS are told with whose matter it is to fetch the files")
  func pointers() {
    #expect(
      ServiceWarning.pointerFiles((1...5).map { "\($0).png" }).sentence
        == "Checked out as Git LFS pointers: 1.png, 2.png, 3.png and 2 more. Martlet does not fetch such files; a before-trigger can put them in place."
    )
  }

  @Test("Who asks for the commit of the package is told that there is none, and what to do")
  func gitInformation() {
    #expect(
      ServiceWarning.noGitInformation.sentence
        == "Package.swift reads Context.gitInformation, which is nil here: the code is built in a folder that is not a git repository. A before-trigger can write a file for it with MARTLET_COMMIT."
    )
  }

  @Test("Files that were touched are told by what became of them")
  func files() {
    let files = ServiceWarning.TouchedFiles(
      changed: ["edited"], removed: ["gone"], added: (1...4).map { "link\($0)" })
    #expect(
      ServiceWarning.filesTouched(files, by: .tests).sentence
        == "The tests changed edited, removed gone, left link1, link2, link3 and 1 more in the package's folder.")
    #expect(
      ServiceWarning.filesTouched(.init(changed: ["file"], removed: [], added: []), by: .build).sentence
        == "A build changed file in the package's folder.")
  }

  @Test("A reason that is a sentence already keeps its full stop")
  func stops() {
    for reason in ["only 1 of 3 could be read", "only 1 of 3 could be read."] {
      #expect(
        ServiceWarning.mangledNames(reason: reason).sentence
          == "Functions of C++ are shown with mangled names: only 1 of 3 could be read.")
    }
  }

  @Test("What cannot be contained is told with what mends it")
  func uncontained() {
    #expect(
      ServiceWarning.uncontained(why: "bubblewrap is not installed", remedy: "Install it.").sentence
        == "The code under test was not contained: bubblewrap is not installed. Install it.")
    // What could not even be tried brings its own advice.
    #expect(
      ServiceWarning.uncontained(why: "Could not start “bwrap”. Wait, and run it again.", remedy: "").sentence
        == "The code under test was not contained: Could not start “bwrap”. Wait, and run it again.")
  }

  @Test("A report that could not be made is told with the reason")
  func report() {
    #expect(
      ServiceWarning.reportNotMade(reason: "the template page:1:1: nothing is called \"a\". Look.").sentence
        == "There is no report of this integration: the template page:1:1: nothing is called \"a\". Look.")
  }

  @Test("Warnings of one code are told apart by what they are about, and not by reasons and numbers")
  func subjects() {
    #expect(
      ServiceWarning.secretWithoutValue("KEY", bot: "a").subject
        == ServiceWarning.secretWithoutValue("KEY", bot: "b").subject)
    #expect(
      ServiceWarning.secretWithoutValue("KEY", bot: "a").subject
        != ServiceWarning.secretWithoutValue("TOKEN", bot: "a").subject)
    #expect(
      ServiceWarning.originsUnread(files: 3, of: 9).subject == ServiceWarning.originsUnread(files: 4, of: 9).subject)
    #expect(
      ServiceWarning.noteNotWritten(reason: "a").subject
        == IssueSubject(IssueSubject.Code(rawValue: "note-not-written")))
  }
}
