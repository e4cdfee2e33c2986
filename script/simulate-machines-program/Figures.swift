/// What a simulated day came to.
struct Figures {
  var pushed = 0
  var started = 0
  var ended = 0
  /// Those that began again because their machine died.
  var repeated = 0
  var deaths = 0
  var partitions = 0
  /// Ends of what had ended already, and starts where none was possible.
  var doubled = 0
  var misplaced = 0
  var overfull = 0
  /// How many began where their branch was built before.
  var warm = 0
  /// The seconds that all of them took.
  var work = 0.0
  var mostWaiting = 0
  var mostRunning = 0
  /// The seconds from the push to the start, and to the end.
  var delays: [Double] = []
  var turnarounds: [Double] = []
  /// The seconds of the processor that each decision what to start took.
  var decisions: [Double] = []
}

/// The best that any engine could do: one queue for all, machines that never fail and have every build, and bots that run
/// any number of integrations at once.
struct IdealQueue {
  /// When each slot is free, as a heap with the earliest first.
  private var free: [Double]
  private(set) var delays: [Double] = []
  private(set) var turnarounds: [Double] = []

  init(slots: Int) { free = Array(repeating: 0, count: slots) }

  mutating func take(_ push: Traffic.Push, at time: Double) {
    let start = max(time, free[0])
    delays.append(start - time)
    turnarounds.append(start - time + push.seconds)
    free[0] = start + push.seconds
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < free.count }
      guard let least = children.min(by: { free[$0] < free[$1] }), free[least] < free[parent] else { return }
      free.swapAt(least, parent)
      parent = least
    }
  }
}
