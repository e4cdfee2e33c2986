/// The memory mappings of a process, as the kernel lists them.
///
/// https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html
package struct MemoryMappings: Hashable, Sendable {
  /// The files and kernel areas with executable mappings; an empty string stands for memory that belongs to no file.
  package let executable: Set<String>
  /// Whether there are counters that were moved to memory without a name.
  package let holdCounters: Bool

  package init(_ list: [UInt8]) {
    let rows = list.split(separator: UInt8(ascii: "\n")).map {
      $0.split(separator: UInt8(ascii: " "), maxSplits: 5, omittingEmptySubsequences: true)
    }
    executable = Set(
      rows.filter { $0.count >= 5 && $0[1].contains(UInt8(ascii: "x")) }.map { row in
        guard row.count > 5 else { return "" }
        return String(decoding: row[5].drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
      })
    holdCounters = rows.contains { row in
      row.count > 5 && row[5].drop { $0 == UInt8(ascii: " ") }.starts(with: "/memfd:counters".utf8)
    }
  }

  /// Whether nothing can have run in the process yet except the system's dynamic linker and its audit library.
  ///
  /// - Parameters:
  ///   - program: the program being started; its code is mapped, but does not run before the linker has finished.
  ///   - libraries: the names of the library that the linker loads before the program's own.
  package func arePrepared(for program: String, with libraries: Set<String>) -> Bool {
    let others = executable.subtracting(libraries).subtracting([program, "[vdso]", "[vsyscall]"])
    return executable.contains(program) && !executable.isDisjoint(with: libraries) && others.allSatisfy(Self.isLinker)
  }

  /// Whether a path is the dynamic linker's; no package can write to these folders.
  private static func isLinker(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasPrefix("ld-") && ["/usr/", "/lib/", "/lib64/"].contains(where: path.hasPrefix)
  }
}
