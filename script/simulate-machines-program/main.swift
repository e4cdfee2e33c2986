// The program of script/simulate-machines: a day of many machines with the watcher's own decisions.
import FoundationEssentials
import Glibc
import Model
import Storing

let arguments = CommandLine.arguments
guard arguments.count == 6, let machines = Int(arguments[2]), let perDay = Int(arguments[3]),
  let hours = Double(arguments[4]), let seed = UInt64(arguments[5]), machines > 0, perDay > 0, hours > 0
else {
  print("usage: simulate DATABASE MACHINES INTEGRATIONS HOURS SEED")
  exit(2)
}

/// Returns a share of sorted values, such as the median.
func quantile<Value: Comparable>(_ share: Double, _ values: [Value]) -> Value? {
  values.isEmpty ? nil : values.sorted()[Int(Double(values.count - 1) * share)]
}

func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

func text(_ value: Double?) -> String {
  guard let value else { return "–" }
  return "\((value * 10).rounded() / 10)"
}

func line(_ name: String, _ value: String) {
  print(name + String(repeating: " ", count: max(1, 34 - name.count)) + value)
}

func spread(_ values: [Double]) -> String {
  let mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  return "mean \(text(mean)) s, median \(text(quantile(0.5, values))) s, 99 % \(text(quantile(0.99, values))) s"
}

/// What the watcher's database does per integration: queue it, start it, hand it out and end it, each safe on the disk.
func integrationsPerSecond(_ count: Int) throws -> Double {
  var store = try Store(at: arguments[1])
  let now = Simulation.epoch
  let clock = ContinuousClock()
  let time = try clock.measure {
    for number in 0..<count {
      let assignment = Assignment(
        bot: "bot\(number % 100)", ref: RefName(branch: "main"), commit: CommitID(rawValue: "c\(number)"),
        cause: .commit, queuedAt: now)
      let ids = try store.apply(Decision(bot: assignment.bot, changes: [.queue(assignment)]))
      for id in ids {
        _ = try store.start(
          id, at: now, handedTo: HandedIntegration(id: "h\(number)", machine: "m\(number % machines)"))
        try store.finish(id, IntegrationSummary(outcome: .succeeded, endedAt: now))
      }
    }
  }
  return Double(count) / seconds(time)
}

var simulation = Simulation(machines: machines, perDay: perDay, seed: seed)
// The same pushes again, for a queue of which nothing fails.
var ideal = IdealQueue(slots: 4 * machines)
var chance = SeededGenerator(seed: seed &+ 1)
let clock = ContinuousClock()
let began = clock.now
let end = hours * 3600
for second in stride(from: 0, to: end, by: 1) {
  simulation.step(at: second)
  for push in simulation.traffic.pushes(at: second, &chance) { ideal.take(push, at: second) }
}
let took = clock.now - began
let figures = simulation.figures
let left = simulation.waiting.count + simulation.running.count

line("machines, slots, bots", "\(machines), \(4 * machines), \(simulation.traffic.bots)")
line(
  "pushed in \(text(hours)) h",
  "\(figures.pushed), at most \(figures.mostWaiting) waiting and \(figures.mostRunning) running")
line(
  "machines died, partitions", "\(figures.deaths), \(figures.partitions); \(figures.repeated) integrations began again")
line("waited, martlet", spread(figures.delays))
line("waited, ideal", spread(ideal.delays))
line("push to result, martlet", spread(figures.turnarounds))
line("push to result, ideal", spread(ideal.turnarounds))
line("where the branch was built before", "\(100 * figures.warm / max(1, figures.started)) %")
let total = figures.decisions.reduce(0, +)
func milliseconds(_ seconds: Double?) -> String { text(seconds.map { $0 * 1000 }) + " ms" }
line(
  "a decision over all entries",
  "median \(milliseconds(quantile(0.5, figures.decisions))), 99 % \(milliseconds(quantile(0.99, figures.decisions))), "
    + "longest \(milliseconds(figures.decisions.max()))")
line("starts per second of deciding", "\(Int(Double(figures.started) / max(total, 1e-9)))")
var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
line("memory at most", "\(usage.ru_maxrss / 1024) MB, with the simulated machines")
line(
  "database", "\(Int(try integrationsPerSecond(2000))) integrations per second; \(text(Double(perDay) / 86400)) come")
line("simulated in", "\(text(seconds(took))) s")
let lost = figures.pushed - figures.ended - left
line("lost, twice, misplaced, overfull", "\(lost), \(figures.doubled), \(figures.misplaced), \(figures.overfull)")
exit(lost == 0 && figures.doubled == 0 && figures.misplaced == 0 && figures.overfull == 0 ? 0 : 1)
