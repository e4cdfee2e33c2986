import Glibc
import Processes
import Testing

@Suite("Resident memory")
struct ResidentMemoryTests {
  /// Pages of mapped files that are resident, from the kernel: proc(5), `/proc/pid/statm`, the third field.
  private func residentFilePages() throws -> Int {
    let file = try #require(fopen("/proc/self/statm", "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    _ = try #require(fgets(&line, Int32(line.count), file))
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return try #require(Int(text.split(separator: " ")[2]))
  }

  @Test("What was given back comes again, and everything is as it was")
  func release() throws {
    let before = try residentFilePages()
    ResidentMemory.release()
    // Other tests run meanwhile and touch their pages again, but not all that starting this process touched.
    #expect(try residentFilePages() < before)
    #expect(["b", "a"].sorted() == ["a", "b"])
  }
}
