package import Model

/// The stacks of a living process, as `eu-stack -b -m` of elfutils prints them.
///
/// The program is described at https://sourceware.org/elfutils/. A line that has no known shape is passed over.
package struct StackDump: Hashable, Sendable {
  /// One call, not yet in words.
  package struct Call: Hashable, Sendable {
    /// The linker's name of the function.
    var symbol: String
    /// The path of the executable or library.
    var module: String
    /// The address in the module, of the call and not of what follows it.
    var offset: UInt64?
  }

  /// The calls of each thread, innermost first.
  package var threads: [[Call]] = []

  /// A stack deeper than this is cut; an endless recursion has one.
  private static let mostCalls = 256

  package init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let line = Array(line).text
      if line.hasPrefix("TID ") {
        threads.append([])
      } else if !threads.isEmpty {
        take(line)
      }
    }
  }

  private mutating func take(_ line: String) {
    let last = threads.count - 1
    if line.hasPrefix("#"), threads[last].count < Self.mostCalls {
      threads[last].append(Self.call(line))
    } else if let offset = Self.offset(line), let call = threads[last].indices.last, threads[last][call].offset == nil {
      threads[last][call].offset = offset
    }
  }

  /// `#2  0x000055e69cb7f018 $s6XDying5LocksC5test2yyF - /path/of/module`.
  private static func call(_ line: String) -> Call {
    var rest = line.drop { $0 != " " }.drop { $0 == " " }
    rest = rest.drop { $0 != " " }.drop { $0 == " " || $0 == "-" || $0 == "1" }
    guard let dash = rest.range(of: " - ", in: rest.startIndex) else { return Call(symbol: String(rest), module: "") }
    return Call(symbol: String(rest[..<dash.lowerBound]), module: String(rest[dash.upperBound...]))
  }

  /// `[build ID]@0x55e69cb22000+0x5d017`.
  private static func offset(_ line: String) -> UInt64? {
    guard line.hasPrefix("    ["), let plus = line.lastIndex(of: "+") else { return nil }
    return line[line.index(after: plus)...].dropping("0x").flatMap { UInt64($0, radix: 16) }
  }

  /// The different addresses in a module, ascending.
  package func offsets(in module: String) -> [UInt64] {
    Set(threads.joined().filter { $0.module == module }.compactMap(\.offset)).sorted()
  }

  /// The different names that the linker gave, sorted.
  package var symbols: [String] {
    Set(threads.joined().map(\.symbol).filter { $0.hasPrefix("$s") || $0.hasPrefix("$S") }).sorted()
  }

  /// The stacks in words.
  ///
  /// - Parameters:
  ///   - names: names for people, by the linker's.
  ///   - places: the places in sources of the package, by module and address.
  package func stacks(names: [String: String], places: [String: [UInt64: SourceLocation]]) -> [ThreadStack] {
    threads.map { calls in
      ThreadStack(
        frames: calls.enumerated().map { number, call in
          let place = call.offset.flatMap { places[call.module]?[$0] }
          let image = call.module.split(separator: "/").last.map(String.init)
          return StackFrame(
            number: number, function: (names[call.symbol] ?? call.symbol).withoutNul, location: place, image: image)
        })
    }
  }
}
