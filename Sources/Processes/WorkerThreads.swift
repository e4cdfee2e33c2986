import Glibc
import Synchronization

/// A number of threads that share work consisting of independent pieces.
package struct WorkerThreads: Sendable {
  private let threads: Int

  /// - Parameter threads: The number of threads working at once, including the caller's.
  package init(threads: Int = WorkerThreads.processorCount) {
    self.threads = threads
  }

  /// The number of processors.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs each of the pieces once, and returns when all are done.
  ///
  /// After a failure no more pieces are started. If several pieces fail, the error of the first one is thrown.
  package func carryOut(_ count: Int, _ piece: @escaping @Sendable (Int) throws -> Void) throws {
    let work = SharedWork(count: count, piece)
    var workers: [Worker<Void>] = []
    while workers.count + 1 < min(threads, count) {
      // If no further thread can be created, the existing ones do its work.
      guard let worker = try? Worker({ work.carryOut() }) else { break }
      workers.append(worker)
    }
    work.carryOut()
    for worker in workers { try worker.join() }
    if let failure = work.failure { throw failure }
  }

  /// Computes a value for each index, in order.
  package func map<Value: Sendable>(_ count: Int, _ value: @escaping @Sendable (Int) -> Value) throws -> [Value] {
    let values = Values<Value>(count: count)
    try carryOut(count) { index in
      let value = value(index)
      values.all.withLock { $0[index] = value }
    }
    return values.all.withLock { $0.compactMap(\.self) }
  }
}

/// Pieces of work that several threads take one at a time.
private final class SharedWork: Sendable {
  private let count: Int
  private let piece: @Sendable (Int) throws -> Void
  private let next = Atomic(0)
  private let first = Mutex<(piece: Int, error: any Error)?>(nil)

  init(count: Int, _ piece: @escaping @Sendable (Int) throws -> Void) {
    self.count = count
    self.piece = piece
  }

  var failure: (any Error)? { first.withLock { $0?.error } }

  func carryOut() {
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < count, index < first.withLock({ $0?.piece ?? .max }) else { return }
      do {
        try piece(index)
      } catch {
        first.withLock { if index < $0?.piece ?? .max { $0 = (index, error) } }
      }
    }
  }
}

/// The place where threads leave the values they computed.
private final class Values<Value: Sendable>: Sendable {
  let all: Mutex<[Value?]>

  init(count: Int) {
    all = Mutex([Value?](repeating: nil, count: count))
  }
}
