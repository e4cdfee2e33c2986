import Git
import Glibc
import Model
import Parsing
import Processes

/// The channel through which the built programs that tests start hand over their coverage counters.
///
/// A program is trusted only if nothing but the dynamic linker runs in it yet: anything else on this socket could be a
/// test that says what it likes. The channel belongs to the thread that runs the test process.
final class StartedPrograms {
  /// The maximum number of programs that are connected at once; tests do not start as many side by side.
  private static let mostAtOnce = 256
  /// The maximum bytes of counters that are accepted from the programs that one test process starts.
  private static let mostBytes = 1 << 30

  private struct Program {
    /// Its number among those that were let in.
    let number: Int
    let process: ConnectedProcess
    let connection: ObserverConnection
    var counters: [MovedCounters] = []
  }

  /// The folder in which the programs find the socket.
  var folder: Folder { socket.folder }
  /// The folder in which they were built.
  let programs: String
  /// The names of the files that the kept counters replace.
  private(set) var supersededProfiles: Set<String> = []
  /// Why some counters could not be kept, as sentences.
  private(set) var failures: [ServiceWarning] = []
  private let socket: ObserverSocket
  private let places: PackagePaths
  private let libraries: Set<String>
  private let counting: TestCounting?
  private let keep: (MovedCounters, Int) throws(IntegratingError) -> Void
  /// The descriptors of those that have connected and wait to be let in.
  private var waiting: [Int32] = []
  private var running: [Int32: Program] = [:]
  private var admitted = 0
  private var kept = 0
  private var keptBytes = 0

  /// - Parameters:
  ///   - library: the observer's library.
  ///   - counting: records which tests the programs belong to; nil if nobody asked.
  ///   - keep: writes the counters of a program that has ended, with a number of their own.
  init(
    in folder: Folder, programs: String, library: String, counting: TestCounting?,
    keep: @escaping (MovedCounters, Int) throws(IntegratingError) -> Void
  ) throws(IntegratingError) {
    self.programs = programs
    // The kernel reports files without links, but as they are bound in a sandbox.
    places = PackagePaths(programs)
    libraries = [library, library.withoutLinks]
    self.counting = counting
    self.keep = keep
    socket = try ObserverSocket(in: folder, mostWaiting: 64)
  }

  /// The descriptors to wait for.
  var descriptors: [Int32] { [socket.descriptor] + running.keys }

  /// Accepts programs, which wait until `readOn` lets them in; never waits.
  func accept() {
    while let descriptor = socket.accept() { waiting.append(descriptor) }
  }

  /// Takes what has arrived; never waits.
  func readOn() {
    for (descriptor, program) in running {
      var counters = program.counters
      let state = program.connection.readOn { record, moved in
        if let moved { counters.append(moved) }
        counting?.take(record, ofProgram: program.number)
      }
      running[descriptor]?.counters = counters
      // Who has closed all of its descriptors counts on.
      if state == .ended { end(descriptor, mayCountOn: MemoryMappings(program.process.mappings).holdCounters) }
    }
    for descriptor in waiting { admit(descriptor) }
    waiting = []
  }

  /// Keeps the counters of programs that have not ended, too.
  func close() {
    accept()
    readOn()
    for descriptor in running.keys { end(descriptor, mayCountOn: true) }
  }

  private func admit(_ descriptor: Int32) {
    guard running.count < Self.mostAtOnce, let process = ConnectedProcess(at: descriptor),
      let program = process.program, places.relative(program) != nil,
      MemoryMappings(process.mappings).arePrepared(for: program, with: libraries)
    else {
      Glibc.close(descriptor)
      return
    }
    admitted += 1
    counting?.admitProgram(admitted)
    running[descriptor] = Program(
      number: admitted, process: process,
      connection: ObserverConnection(owning: descriptor, key: ObserverChannel.newKey()))
  }

  private func end(_ descriptor: Int32, mayCountOn: Bool) {
    guard let program = running.removeValue(forKey: descriptor) else { return }
    counting?.endProgram(program.number, mayCountOn ? nil : program.counters.map(\.contents))
    for moved in program.counters where keptBytes + moved.length <= Self.mostBytes {
      kept += 1
      keptBytes += moved.length
      do throws(IntegratingError) {
        try keep(moved, kept)
        supersededProfiles.insert(moved.fileName)
      } catch {
        failures.append(.countersNotKept(reason: "\(error)", ofStartedProgram: true))
      }
    }
  }
}
