import Glibc

/// The children that write the site and clear the disk, one of each at a time.
struct Errands {
  /// What of the site is to be written anew.
  var change = SiteChange()
  var publishing: (any RunningErrand)?
  var removing: (any RunningErrand)?
  /// Whether there is something in the trash.
  var hasTrash = true

  var isEmpty: Bool { publishing == nil && removing == nil && change.isEmpty }

  var descriptors: [Int32] { (publishing?.descriptors ?? []) + (removing?.descriptors ?? []) }
}

extension Watcher {
  /// Starts what is to be done, and takes the end of what was.
  func runErrands() {
    if let end = errands.publishing?.takeEnd() {
      errands.publishing = nil
      if let failure = end.failure { report("The site cannot be written: \(failure).") }
    }
    if let end = errands.removing?.takeEnd() {
      errands.removing = nil
      if let failure = end.failure { report("\(home.trash) cannot be emptied: \(failure).") }
    }
    guard !isStopping else { return }
    publish()
    emptyTrash()
  }

  /// The one place from which the site is brought up to date.
  private func publish() {
    guard errands.publishing == nil, !errands.change.isEmpty else { return }
    let change = errands.change
    errands.change = SiteChange()
    do {
      try writeState()
      errands.publishing = try launcher.publish(change)
    } catch {
      report("The site cannot be written: \(error)")
    }
  }

  private func emptyTrash() {
    guard errands.hasTrash, errands.removing == nil else { return }
    errands.hasTrash = false
    guard access(home.trash, F_OK) == 0 else { return }
    do {
      errands.removing = try launcher.remove(home.trash)
    } catch {
      report("\(home.trash) cannot be emptied: \(error)")
    }
  }
}
