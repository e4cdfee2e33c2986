import Model
import Processes

/// What destinations must have in common to be built at once.
///
/// They share the checked-out files, so nothing may be built there while a build changes them: plugins write where they
/// like, and SwiftPM writes the versions that it resolves into `Package.resolved`, or removes it if there are none.
struct BuildTerms: Hashable {
  /// What decides which versions of dependencies are resolved; empty where none are.
  private var resolution: [String]

  /// Nil for a destination that is built alone.
  ///
  /// - Parameters:
  ///   - isContained: whether builds are in a sandbox; without one, they share modules that each of them may remove.
  ///   - hasPins: whether there is a `Package.resolved`.
  init?(_ request: IntegrationRequest, _ manifests: PackageManifests, isContained: Bool, hasPins: Bool) {
    // Nothing may be built before it is known whether an earlier destination is red.
    guard request.destinations?.stopsEarly != true, isContained, !manifests.contain(anyOf: ["plugins"]) else {
      return nil
    }
    guard manifests.needFetching else {
      if hasPins { return nil }
      resolution = []
      return
    }
    let variables = request.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    resolution =
      [request.toolchain ?? "", request.buildSystem?.rawValue ?? ""] + ResolvingArguments(of: request.arguments).words
      + [""] + variables
  }

  /// Whether a machine has what two builds need: a processor for each, and 3 GiB of memory for the compilers of each.
  static func hasRoomForTwo(processors: Int, memoryBytes: Int) -> Bool {
    processors > 1 && memoryBytes >= 6 << 30
  }

  /// Returns the destinations in groups, each of which is built at once, as ranges of their positions.
  ///
  /// - Parameters:
  ///   - all: the terms of each destination, in their order.
  ///   - hasRoom: whether the machine has room for more than one build.
  static func groups(of all: [BuildTerms?], hasRoom: Bool) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    for (position, terms) in all.enumerated() {
      if hasRoom, terms != nil, let last = groups.popLast() {
        let isAlike = all[last.lowerBound] == terms
        groups += isAlike ? [last.lowerBound..<position + 1] : [last, position..<position + 1]
      } else {
        groups.append(position..<position + 1)
      }
    }
    return groups
  }
}

/// What was built on a thread beside others, with the notes taken there.
struct BuiltBeside: Sendable {
  var attempt: Result<BuildAttempt, IntegrationStop>
  var steps: [StepRecord]
  var warnings: [ServiceWarning]
}

/// The builds of several destinations, which are ready to begin.
struct BuildsAtOnce {
  /// Two take hardly longer than one, whose last steps keep one processor busy; more would mostly take more memory.
  private static let most = 2

  /// The build of one destination.
  ///
  /// Its run can be handed to a thread because nobody else uses it until that has ended, and because all that it shares
  /// with other runs was made before (`IntegrationRun.beside`) or is a value.
  private struct Piece: @unchecked Sendable {
    let run: IntegrationRun
    let resolution: Resolution

    func carryOut() -> BuiltBeside {
      let attempt: Result<BuildAttempt, IntegrationStop>
      do throws(IntegrationStop) {
        attempt = .success(try run.attemptBuild(after: resolution))
      } catch {
        attempt = .failure(error)
      }
      return BuiltBeside(attempt: attempt, steps: run.journal.steps, warnings: run.journal.warnings)
    }
  }

  private let pieces: [Piece]

  /// - Parameter cells: destinations that were resolved without an error.
  init(of cells: [Cell], telling progress: @escaping ProgressHandler) {
    let count = min(Self.most, cells.count)
    pieces = cells.compactMap { cell in
      let name = cell.name
      let run = cell.run.beside(count) { event in
        // The step is told once for all, and errors when the destination goes on.
        guard case .activity(let words, let done, let total) = event else { return }
        progress(.activity(words: "\(name): \(words)", done: done, total: total))
      }
      return cell.reached.resolution.map { Piece(run: run, resolution: $0) }
    }
  }

  /// Builds, and returns what was built in the order of the destinations, when no build is left.
  func carryOut() throws -> [BuiltBeside] {
    let pieces = pieces
    return try WorkerThreads(threads: Self.most).map(pieces.count) { pieces[$0].carryOut() }
  }
}
