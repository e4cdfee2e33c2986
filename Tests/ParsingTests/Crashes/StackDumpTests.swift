import Model
import Testing

@testable import Parsing

@Suite("The stacks of a living process")
struct StackDumpTests {
  /// What eu-stack printed of a test that takes a lock twice, shortened.
  private static let locks = """
    PID 32244 - process
    TID 32244:
    #0  0x00007f8b486dc12b __GI___lll_lock_wait - /usr/lib/x86_64-linux-gnu/libc.so.6
        [93ac61ec5a8eb1396f9fbd350e3169a558528a40]@0x7f8b48656000+0x8612b
    #1  0x00007f8b486e2482 __pthread_mutex_lock@GLIBC_2.2.5 - /usr/lib/x86_64-linux-gnu/libc.so.6
        [93ac61ec5a8eb1396f9fbd350e3169a558528a40]@0x7f8b48656000+0x8c481
    #2  0x000055e69cb7f018 $s6XDying5LocksC5test2yyF - /scratch/DyingPackageTests.xctest
        [bdc778ebafc9c6472b26c0f4ff3a052e2620ee82]@0x55e69cb22000+0x5d017
    #10 0x00007f8b493d25e2 $s6XCTest0A4CaseC10invokeTestyyF - /toolchain/usr/lib/swift/linux/libXCTest.so
        [9412287c06964404f318e529ae9fa9a534def781]@0x7f8b493a7000+0x2b5e1
    #24 0x000055e69cb35731 - /scratch/DyingPackageTests.xctest
    TID 32246:
    #0  0x00007f8b486dbf16 epoll_wait - /usr/lib/x86_64-linux-gnu/libc.so.6
        [93ac61ec5a8eb1396f9fbd350e3169a558528a40]@0x7f8b48656000+0x85f16

    """

  private let executable = "/scratch/DyingPackageTests.xctest"

  @Test("Calls are put into words, and those of the package get their places")
  func words() {
    let dump = StackDump(Array(Self.locks.utf8))
    #expect(dump.offsets(in: executable) == [0x5d017])
    #expect(dump.symbols == ["$s6XCTest0A4CaseC10invokeTestyyF", "$s6XDying5LocksC5test2yyF"])
    let place = SourceLocation(file: "Tests/XDying/XDying.swift", line: 70, column: 10)
    let stacks = dump.stacks(
      names: ["$s6XDying5LocksC5test2yyF": "Locks.test2()"],
      places: [executable: [0x5d017: place], "/usr/lib/x86_64-linux-gnu/libc.so.6": [1: place]])
    #expect(stacks.count == 2)
    #expect(
      stacks[0].frames.map(\.function) == [
        "__GI___lll_lock_wait", "__pthread_mutex_lock@GLIBC_2.2.5", "Locks.test2()",
        "$s6XCTest0A4CaseC10invokeTestyyF", executable,
      ])
    #expect(stacks[0].firstOwn?.location == place)
    #expect(stacks[0].frames[0].image == "libc.so.6")
    #expect(stacks[1].frames.map(\.function) == ["epoll_wait"])
  }

  @Test("Anything may be printed, and the stacks of an endless recursion are cut")
  func hostile() {
    for text in [
      "", "#0", "TID", "TID 1:\n#", "TID 1:\n#0  \n    [", "TID 1:\n#0 x\n    [a]@+0xzz", "\u{0}\n    [+0x1",
    ] {
      _ = StackDump(Array(text.utf8)).stacks(names: [:], places: [:])
    }
    _ = StackDump([0xFF, 0x0A, 0x23, 0xC3])
    let deep = "TID 1:\n" + String(repeating: "#0 0x1 a - b\n", count: 1000)
    #expect(StackDump(Array(deep.utf8)).threads.first?.count == 256)
  }

  @Test("Of the symbolizer's answers the innermost place in the package counts")
  func places() {
    let answers = """
      {"Address":"0x5d017","Symbol":[{"FileName":"/toolchain/x.swift","Line":3,"Column":0},{"FileName":"/checkout/A.swift","Line":70,"Column":10}]}
      {"Address":"0x154d3","Symbol":[{"FileName":"/checkout/B.swift","Line":0,"Column":0,"StartFileName":"/checkout/B.swift","StartLine":9}]}
      nonsense
      {"Address":"0x1","Symbol":[{"FileName":"/checkout/C.swift","Line":2,"Column":0}]}

      """
    func places(orFunction: Bool) -> [UInt64: Model.SourceLocation] {
      SymbolizedPlaces.read(Array(answers.utf8), orFunction: orFunction) { path in
        path.hasPrefix("/checkout/") ? String(path.dropFirst("/checkout/".count)) : nil
      }
    }
    let known: [UInt64: Model.SourceLocation] = [
      0x5d017: SourceLocation(file: "A.swift", line: 70, column: 10), 1: SourceLocation(file: "C.swift", line: 2),
    ]
    #expect(places(orFunction: false) == known)
    let withFunctions = known.merging([0x154d3: SourceLocation(file: "B.swift", line: 9)]) { $1 }
    #expect(places(orFunction: true) == withFunctions)
  }

  @Test("Of code in the package that belongs to no line it is told where its function begins")
  func lineless() {
    let answers = """
      {"Address":"0x5d017","Symbol":[{"FileName":"/checkout/A.swift","Line":70,"StartAddress":"0x5d000","StartFileName":"/checkout/A.swift"}]}
      {"Address":"0x154d3","Symbol":[{"FileName":"/checkout/B.swift","Line":0,"StartAddress":"0x15400","StartFileName":"/checkout/B.swift"}]}
      {"Address":"0x154d4","Symbol":[{"FileName":"/toolchain/B.swift","Line":0,"StartAddress":"0x15400","StartFileName":"/toolchain/B.swift"}]}
      {"Address":"0x154d5","Symbol":[{"FileName":"/checkout/B.swift","Line":0,"StartFileName":"/checkout/B.swift"}]}
      {"Address":"0x154d6","Symbol":[]}
      nonsense

      """
    let found = SymbolizedPlaces.lineless(Array(answers.utf8)) { $0.hasPrefix("/checkout/") ? $0 : nil }
    #expect(found == [0x154d3: 0x15400])
    #expect(SymbolizedPlaces.starts(Array(answers.utf8)) == [0x5d017: 0x5d000, 0x154d3: 0x15400, 0x154d4: 0x15400])
  }

  @Test(
    "A function that a macro made is named by the macro and what it was made for",
    arguments: [
      (
        "$s12GreeterTests4hang4TestfMp_7__localfMu_ #1 @Sendable (_:) in $s12GreeterTests4hang4TestfMp_16e2fMu_@Sendable ()",
        "peer macro expansion of @Test for hang"
      ),
      ("$s12GreeterTests0A5SuiteV7evening4TestfMp_", "$s12GreeterTests0A5SuiteV7evening4TestfMp_"),
      ("$s12GreeterTests12EveningTestsV7evening4TestfMp_", "peer macro expansion of @Test for evening"),
      ("static Thread.sleep(forTimeInterval:)", "static Thread.sleep(forTimeInterval:)"), ("$s", "$s"),
      ("$s99a", "$s99a"),
    ])
  func macros(function: String, name: String) {
    #expect(MacroExpansion.readable(function) == name)
  }
}
