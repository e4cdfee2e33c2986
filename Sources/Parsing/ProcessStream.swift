/// The stream that a chunk of a process's output came from.
package enum ProcessStream: Hashable, CaseIterable, Sendable {
  case standardOutput
  case standardError
}
