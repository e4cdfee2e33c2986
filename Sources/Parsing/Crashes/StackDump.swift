package import Model

/// The stacks of a running process, as printed by `eu-stack -b -m` of elfutils.
///
/// The program is described at https://sourceware.org/elfutils/. Lines of unknown form are ignored.
package struct StackDump: Hashable, Sendable {
  /// A call whose name and place are not yet resolved.
  package struct Call: Hashable, Sendable {
    /// The linker symbol of the function.
    var symbol: String
    /// The path of the executable or library.
    var module: String
    /// The address of the call within the module, not of the instruction after it.
    var offset: UInt64?
  }

  /// The calls of each thread, innermost first.
  package var threads: [[Call]] = []

  /// The largest number of calls to keep of a stack, which endless recursion can exceed.
  private static let mostCalls = 256

  package init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let line = line.text
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

  /// Parses `#2  0x000055e69cb7f018 $s6XDying5LocksC5test2yyF - /path/of/module`.
  private static func call(_ line: String) -> Call {
    var rest = line.drop { $0 != " " }.drop { $0 == " " }
    rest = rest.drop { $0 != " " }.drop { $0 == " " || $0 == "-" || $0 == "1" }
    guard let dash = rest.firstRange(ofASCII: " - ") else { return Call(symbol: String(rest), module: "") }
    return Call(symbol: String(rest[..<dash.lowerBound]), module: String(rest[dash.upperBound...]))
  }

  /// Parses `[build ID]@0x55e69cb22000+0x5d017`.
  private static func offset(_ line: String) -> UInt64? {
    guard line.hasPrefix("    ["), let plus = line.lastIndex(of: "+") else { return nil }
    return line[line.index(after: plus)...].dropping("0x").flatMap { UInt64($0, radix: 16) }
  }

  /// Returns the distinct addresses in a module, in ascending order.
  package func offsets(in module: String) -> [UInt64] {
    Set(threads.joined().filter { $0.module == module }.compactMap(\.offset)).sorted()
  }

  /// The distinct mangled Swift symbols, sorted.
  package var symbols: [String] {
    Set(threads.joined().map(\.symbol).filter { $0.hasPrefix("$s") || $0.hasPrefix("$S") }).sorted()
  }

  /// Returns the stacks with readable names and places.
  ///
  /// - Parameters:
  ///   - names: readable names by symbol.
  ///   - places: places in the package's sources, by module and address.
  package func stacks(names: [String: String], places: [String: [UInt64: SourceLocation]]) -> [ThreadStack] {
    threads.map { calls in
      ThreadStack(
        frames: calls.enumerated().map { number, call in
          let place = call.offset.flatMap { places[call.module]?[$0] }
          let image = call.module.split(separator: "/").last.map(String.init)
          return StackFrame(
            number: number, function: MacroExpansion.readable((names[call.symbol] ?? call.symbol).withoutNul),
            location: place, image: image)
        })
    }
  }
}
