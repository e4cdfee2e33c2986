import Glibc
import Synchronization

/// A thread that runs a blocking closure, so that two blocking operations can proceed in parallel.
package final class Worker<Value: Sendable>: Sendable {
  private let thread: pthread_t
  private let outcome = ThreadResult<Value>()
  private let isJoined = Mutex(false)

  /// Starts the closure.
  package init(_ body: @escaping @Sendable () throws -> Value) throws(ProcessError) {
    let work = ThreadWork { [outcome] in outcome.value.withLock { $0 = Result(catching: body) } }
    let context = Unmanaged.passRetained(work)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, context.toOpaque())
    self.thread = thread
    if code != 0 {
      isJoined.withLock { $0 = true }
      context.release()
      throw .system("start a thread", errno: code)
    }
  }

  /// Waits for the closure to end, and returns its value or throws its error, on every call.
  package func join() throws -> Value {
    isJoined.withLock { isJoined in
      if !isJoined { pthread_join(thread, nil) }
      isJoined = true
    }
    guard let result = outcome.value.withLock(\.self) else { preconditionFailure("A joined thread has an outcome.") }
    return try result.get()
  }

  deinit {
    if !isJoined.withLock(\.self) { pthread_detach(thread) }
  }
}

extension Worker {
  /// Runs a closure that may never end, waiting only for a limited time or until canceled.
  ///
  /// - Returns: The closure's value, or nil if it has not ended. In that case it cannot be stopped and ends with this
  ///   process.
  package static func run(
    atMost time: Duration, cancellation: Cancellation, _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value? {
    let ended = try Cancellation(parent: cancellation)
    let outcome = ThreadResult<Value>()
    _ = try Worker<Void> {
      // Not under the lock, since a caller that gives up would wait for the lock forever.
      let result = Result(catching: body)
      outcome.value.withLock { $0 = result }
      ended.cancel()
    }
    _ = ended.wait(atMost: time)
    return try outcome.value.withLock(\.self)?.get()
  }
}

/// The place where a thread leaves its result; it outlives both sides.
private final class ThreadResult<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, any Error>?>(nil)
}

/// A thread's task, as an object that can be passed through a C function.
private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
