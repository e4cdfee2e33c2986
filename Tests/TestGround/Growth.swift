import Glibc

/// How much longer work takes when there is more of what it is done on.
package enum Growth {
  /// What work at four times a size stays below where each part costs the same, which gives about 4; looking at all of
  /// them for each part gives 16.
  package static let inProportion = 8.0

  /// How many times as long the work takes at four times a size, by the quickest of three attempts.
  ///
  /// What counts is the time that this thread computes, not the clock's: a busy machine makes no test fail.
  package static func atFourTimes<Input>(
    _ size: Int, of make: (Int) throws -> Input, _ work: (Input) throws -> Void
  ) rethrows -> Double {
    let (small, large) = (try make(size), try make(4 * size))
    // What is made once in a process, such as tables of words, is made before anything is counted.
    try work(small)
    let least = min(try seconds { try work(small) }, try seconds { try work(small) }, try seconds { try work(small) })
    var growth = Double.infinity
    for _ in 0..<3 where growth >= inProportion {
      growth = min(growth, try seconds { try work(large) } / least)
    }
    return growth
  }

  private static func seconds(_ work: () throws -> Void) rethrows -> Double {
    let start = computed
    try work()
    return computed - start
  }

  private static var computed: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}
