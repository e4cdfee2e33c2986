import FoundationEssentials
import Glibc

/// Random numbers that a seed repeats (https://prng.di.unimi.it/splitmix64.c).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// Returns how often events with this mean happen in a while, by Poisson's distribution, of which a normal one is as
  /// good as the same where the mean is large.
  mutating func count(mean: Double) -> Int {
    guard mean < 30 else { return max(0, Int((mean + normal() * mean.squareRoot()).rounded())) }
    let floor = exp(-mean)
    var (count, product) = (0, Double.random(in: 0..<1, using: &self))
    while product > floor {
      count += 1
      product *= Double.random(in: 0..<1, using: &self)
    }
    return count
  }

  mutating func normal() -> Double {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &self))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }
}

/// What is pushed to the simulated repositories.
struct Traffic {
  /// One integration to come.
  struct Push {
    var bot: Int
    var branch: Int
    /// The seconds that it takes where its branch was built before.
    var seconds: Double
  }

  /// The times that an integration takes longer where its branch was not built before.
  static let coldFactor = 3.0
  /// The median and the mean of the durations, in seconds.
  private static let (median, spread) = (150.0, 0.76)
  /// The share of bots that need one architecture.
  static let labelledShare = 0.2

  let bots: Int
  private let perDay: Double

  init(perDay: Int) {
    self.perDay = Double(perDay)
    // A bot integrates one commit at a time; most of them have 50 a day.
    bots = max(1, perDay / 50)
  }

  /// Returns what is pushed in the second that begins at a time of the day: half as much again by day, half by night.
  func pushes(at time: Double, _ chance: inout SeededGenerator) -> [Push] {
    let share = 1 - 0.5 * cos(2 * .pi * time / 86400)
    return (0..<chance.count(mean: perDay / 86400 * share)).map { _ in
      Push(
        bot: Int.random(in: 0..<bots, using: &chance),
        // Three of five pushes are to the default branch.
        branch: max(0, Int.random(in: -2...2, using: &chance)),
        seconds: min(3600, Self.median * exp(Self.spread * chance.normal())))
    }
  }
}
