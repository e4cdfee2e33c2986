import Integrating
import Keeping
import Serving

/// The exit statuses of the program, each with a single meaning.
enum ExitCode {
  static let success: Int32 = 0
  static let usage: Int32 = 2
  static let service: Int32 = 3
  static let canceled: Int32 = 130

  /// Returns the status for an error that was not handled elsewhere.
  static func of(_ error: any Error) -> Int32 {
    if let error = error as? KeepingError { return [.request, .unknownBot].contains(error.kind) ? usage : service }
    if let error = error as? ServingError { return error.kind == .request ? usage : service }
    return switch IntegratingError(error).kind {
    case .request: usage
    case .service: service
    case .canceled: canceled
    }
  }

  /// The name of the help topic about exit statuses.
  static let topic = "exit-codes"

  /// The meanings of the statuses, for help.
  static let explanation = """
    0    succeeded, warnings, analyzer-warnings
    1    test-failures (also if only a gate failed), build-errors, incomplete, trigger-error
    2    the request was wrong: wrong arguments, not a repository or an empty one, an unknown revision, no Package.swift,
         a bad bot file
    3    Martlet could not do its job: checkout-error, internal-error, a toolchain that is missing or too old, bad
         templates, a full disk, an unusable home; also if 'watch --once' leaves a commit waiting
    130  interrupted or canceled
    """
}
