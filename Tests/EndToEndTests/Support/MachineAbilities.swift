import FoundationEssentials
import Processes
import TestGround

/// What this machine lets Martlet do.
enum MachineAbilities {
  /// Whether bubblewrap works.
  static let canContain: Bool = {
    guard case .works? = bubblewrap else { return false }
    return true
  }()

  /// Whether slirp4netns works.
  static let canRoute: Bool = {
    guard let cancellation = try? Cancellation(), case .works(let bubblewrap)? = bubblewrap,
      case .works? = try? Router.find(bubblewrap: bubblewrap, searchPath: path, cancellation: cancellation)
    else { return false }
    return true
  }()

  private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

  private static let bubblewrap = (try? Cancellation()).flatMap {
    try? Bubblewrap.find(searchPath: path, cancellation: $0)
  }
}
