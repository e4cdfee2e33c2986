/// A file in the process of being converted from bytes to fields.
struct Document {
  let findings: FileProblems
  /// Nil if the file is empty or unreadable.
  let root: Field?

  init(_ bytes: [UInt8], file: String) {
    guard bytes.count <= NodeBuilder.largestFile else {
      findings = FileProblems(file: file, SourceText([]))
      findings.add(at: 0, "the file is larger than 1 MiB, which no settings are")
      root = nil
      return
    }
    let findings = FileProblems(file: file, SourceText(bytes))
    self.findings = findings
    root = NodeBuilder.build(findings).flatMap { node in
      node.isNothing ? nil : Field(name: "", node: node, keyStart: node.start, findings: findings)
    }
  }
}
