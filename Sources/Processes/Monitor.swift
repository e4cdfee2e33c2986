import Glibc

/// A value that one thread at a time uses, and whose changes others can wait for.
package final class Monitor<Value>: Sendable {
  // All three are used under the mutex only, which with its condition stays where it is until nobody has the monitor.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  nonisolated(unsafe) private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  nonisolated(unsafe) private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    // Neither has a reason to fail with the usual attributes.
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    pthread_mutex_destroy(mutex)
    change.deallocate()
    mutex.deallocate()
  }

  /// Changes the value as soon as it meets a condition, and wakes those who wait for that.
  package func change<Answer>(
    once isDue: (Value) -> Bool = { _ in true }, _ body: (inout Value) -> Answer
  ) -> Answer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isDue(value) { pthread_cond_wait(change, mutex) }
    defer { pthread_cond_broadcast(change) }
    return body(&value)
  }
}
