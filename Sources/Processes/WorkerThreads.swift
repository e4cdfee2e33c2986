import Glibc
import Synchronization

/// Some threads that share work which falls into independent pieces.
package struct WorkerThreads: Sendable {
  private let threads: Int

  /// - Parameter threads: how many work at once, the caller's included.
  package init(threads: Int = WorkerThreads.processorCount) {
    self.threads = threads
  }

  /// How many processors there are.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Does each of the pieces once, and returns when all are done.
  ///
  /// After a failure no more are begun; of several failures that of the first piece is thrown.
  package func carryOut(_ count: Int, _ piece: @escaping @Sendable (Int) throws -> Void) throws {
    let work = SharedWork(count: count, piece)
    var workers: [Worker<Void>] = []
    while workers.count + 1 < min(threads, count) {
      // Where no thread can be had, those that there are do its work.
      guard let worker = try? Worker({ work.carryOut() }) else { break }
      workers.append(worker)
    }
    work.carryOut()
    for worker in workers { try worker.join() }
    if let failure = work.failure { throw failure }
  }

  /// Works out a value for each index, in their order.
  package func map<Value: Sendable>(_ count: Int, _ value: @escaping @Sendable (Int) -> Value) throws -> [Value] {
    let values = Values<Value>(count: count)
    try carryOut(count) { index in
      let value = value(index)
      values.all.withLock { $0[index] = value }
    }
    return values.all.withLock { $0.compactMap(\.self) }
  }
}

/// Pieces of work that several threads take one after the other.
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

/// Where threads leave what they worked out.
private final class Values<Value: Sendable>: Sendable {
  let all: Mutex<[Value?]>

  init(count: Int) {
    all = Mutex([Value?](repeating: nil, count: count))
  }
}
