import Glibc

/// A value that one thread at a time uses, and whose changes others can wait for.
package final class Monitor<Value>: Sendable {
  // Where it lies never changes, and POSIX lets all threads use it at once.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Likewise.
  nonisolated(unsafe) private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // It is used under the mutex only.
  nonisolated(unsafe) private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    // Neither has a reason to fail with the usual attributes.
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Changes the value as soon as it meets a condition, and wakes those who wait for that.
  package func change<Answer>(
    once isDue: (Value) -> Bool = { _ in true }, _ body: (inout Value) -> Answer
  ) -> Answer {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isDue(value) { pthread_cond_wait(changed, mutex) }
    defer { pthread_cond_broadcast(changed) }
    return body(&value)
  }
}
