import Parsing
import Testing

@Suite("What the kernel says of a process's memory")
struct MemoryMappingsTests {
  private static let program = "/checkout/debug/a program"
  private static let library = "/observer/process.so"
  private static let starting = [
    "55d0a0000000-55d0a0001000 r--p 00000000 fe:00 11                         \(program)",
    "55d0a0001000-55d0a0009000 r-xp 00001000 fe:00 11                         \(program)",
    "7f0000000000-7f0000004000 r-xp 00001000 fe:00 12                         \(library)",
    "7f0000005000-7f0000007000 rw-p 00000000 00:00 0 ",
    "7f0000010000-7f0000036000 r-xp 00001000 fe:00 13                         /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2",
    "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0                          [stack]",
    "7ffc00100000-7ffc00102000 r-xp 00000000 00:00 0                          [vdso]",
    "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]",
  ]

  private func arePrepared(_ lines: [String]) -> Bool {
    MemoryMappings(Array(lines.map { "\($0)\n" }.joined().utf8)).arePrepared(for: Self.program, with: [Self.library])
  }

  @Test("Only the linker can have run where nothing else is executable")
  func linker() {
    #expect(arePrepared(Self.starting))
  }

  @Test(
    "Anything else that is executable could have run",
    arguments: [
      "7f0000040000-7f0000041000 r-xp 00000000 fe:00 14                         /usr/lib/x86_64-linux-gnu/libc.so.6",
      "7f0000040000-7f0000041000 rwxp 00000000 00:00 0 ",
      "7f0000040000-7f0000041000 r-xp 00000000 fe:00 14                         /checkout/ld-linux-x86-64.so.2",
      "7f0000040000-7f0000041000 r-xp 00000000 00:01 14                         /memfd:code (deleted)",
    ])
  func code(mapping: String) {
    #expect(!arePrepared(Self.starting + [mapping]))
  }

  @Test("Without the observer's library, or where nothing can be read, nobody is believed")
  func absent() {
    #expect(!arePrepared(Self.starting.filter { !$0.hasSuffix(Self.library) }))
    #expect(!arePrepared([]))
  }
}
