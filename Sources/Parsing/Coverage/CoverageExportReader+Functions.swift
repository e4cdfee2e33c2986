import Model

extension CoverageExportReader {
  mutating func readFunction(_ scanner: inout JSONScanner) throws {
    let start = scanner.position
    var symbol: String?
    var count: UInt64 = 0
    var names: [Int] = []
    let firstRegion = export.regions.count
    expandedFiles.removeAll(keepingCapacity: true)
    try scanner.readObject { scanner, key in
      switch key {
      case "name": symbol = Self.withoutFile(try scanner.readString())
      case "count": count = try scanner.readUInt64()
      case "filenames": try scanner.readArray { scanner in names.append(try readNameIndex(&scanner)) }
      case "regions": try scanner.readArray { scanner in try readRegion(&scanner) }
      default: try scanner.skipValue()
      }
    }
    guard let symbol else { throw scanner.error("a function has no name", at: start) }
    for index in firstRegion..<export.regions.count {
      // Until here `file` is an index into the function's own list.
      let file = export.regions[index].file
      guard names.indices.contains(file) else { throw scanner.error("\(symbol) has a region without file", at: start) }
      export.regions[index].file = names[file]
    }
    let expanded = Set(expandedFiles)
    let home = expanded.isEmpty ? nil : names.indices.first { !expanded.contains($0) }
    export.functions.append(
      CoverageExport.Function(
        symbol: symbol, count: count, regions: firstRegion..<export.regions.count, file: home.map { names[$0] }))
  }

  private mutating func readNameIndex(_ scanner: inout JSONScanner) throws -> Int {
    guard let name = try scanner.readString(unlessSameAs: &lastName) else { return lastNameIndex }
    if let known = nameIndices[name] {
      lastNameIndex = known
    } else {
      lastNameIndex = export.names.count
      nameIndices[name] = lastNameIndex
      export.names.append(name)
    }
    return lastNameIndex
  }

  private mutating func readRegion(_ scanner: inout JSONScanner) throws {
    let start = scanner.position
    if scanner.readPlainNumbers(&numbers) {
      if appendRegion() { return }
      // What is wrong with it is said by reading it once more, number by number.
      scanner.position = start
    }
    var region = CoverageRegion(
      start: SourcePosition(line: 0, column: 0), end: SourcePosition(line: 0, column: 0), count: 0)
    var file = 0
    var kind: UInt64 = 0
    var expanded = 0
    var index = 0
    try scanner.readArray { scanner in
      switch index {
      case 0: region.start.line = try Self.readLine(&scanner)
      case 1: region.start.column = try Self.readColumn(&scanner)
      case 2: region.end.line = try Self.readLine(&scanner)
      case 3: region.end.column = try Self.readColumn(&scanner)
      case 4: region.count = try scanner.readUInt64()
      case 5: file = try scanner.readInt()
      case 6: expanded = try scanner.readInt()
      case 7: kind = try scanner.readUInt64()
      default: try scanner.skipValue()
      }
      index &+= 1
    }
    guard index >= 8 else { throw scanner.error("a region has \(index) values instead of 8", at: start) }
    guard region.start <= region.end else { throw scanner.error("a region ends before it starts", at: start) }
    // A kind that came after this was written says nothing about the code; it is left out.
    guard let kind = CoverageExport.Kind(rawValue: kind) else { return }
    if kind == .expansion { expandedFiles.append(expanded) }
    export.regions.append(CoverageExport.Region(span: region, file: file, kind: kind))
  }

  /// Appends the region that eight numbers stand for; false where they stand for none.
  private mutating func appendRegion() -> Bool {
    let (lines, columns) = (1...UInt64(Self.lineLimit), 1...UInt64(Self.columnLimit))
    let isPlace =
      lines ~= numbers[0] && columns ~= numbers[1] && lines ~= numbers[2] && columns ~= numbers[3]
    guard isPlace, numbers[5] <= UInt64(Int.max) else { return false }
    let start = SourcePosition(line: Int(numbers[0]), column: Int(numbers[1]))
    let end = SourcePosition(line: Int(numbers[2]), column: Int(numbers[3]))
    guard start <= end else { return false }
    if let kind = CoverageExport.Kind(rawValue: numbers[7]) {
      if kind == .expansion {
        guard numbers[6] <= UInt64(Int.max) else { return false }
        expandedFiles.append(Int(numbers[6]))
      }
      let span = CoverageRegion(start: start, end: end, count: numbers[4])
      export.regions.append(CoverageExport.Region(span: span, file: Int(numbers[5]), kind: kind))
    }
    return true
  }

  /// LLVM puts the file and a colon (since LLVM 17 a semicolon) before the names of functions that only it can see.
  private static func withoutFile(_ name: String) -> String {
    // Swift's own names need no search, and nearly all are such.
    guard name.utf8.first != UInt8(ascii: "$"), !name.hasPrefix("-["), !name.hasPrefix("+[") else { return name }
    let separator = name.utf8.lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
    let rest = separator.map { name[name.utf8.index(after: $0)...] } ?? ""
    return rest.isEmpty ? name : String(rest)
  }
}
