import Model

/// How many files each choice above a table of files leaves in it.
struct FileChoices {
  private let all: Int
  private let withGaps: Int
  private let changed: Int

  init(_ files: [CoverageTree.Node]) {
    all = files.count
    withGaps = files.count { !$0.isWhole }
    changed = files.count { $0.change != nil }
  }

  var record: TemplateValue {
    .record([
      "all": .text(CountText.plain(all)), "gaps": .text(CountText.plain(withGaps)),
      "changed": .text(CountText.plain(changed)),
    ])
  }
}
