import Glibc

/// The ID of a process, read from a name or file that says to whom something belongs.
package struct ProcessNumber {
  private let id: pid_t

  package init?(_ text: some StringProtocol) {
    guard let id = pid_t(text), id > 0 else { return nil }
    self.id = id
  }

  /// Whether no process has the ID, neither of this user nor of another.
  package var isGone: Bool { kill(id, 0) != 0 && errno == ESRCH }

  /// Whether what bears the ID was left behind, for a process that has not put anything aside itself yet.
  ///
  /// Its own ID counts too: in a container, every process may have the same one.
  package var isOfEarlierProcess: Bool { id == getpid() || isGone }
}
