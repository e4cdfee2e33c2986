import CSQLite
import Glibc

/// A VFS of SQLite that writes as the system's does, until a chosen write or sync fails or takes the process with it.
///
/// https://www.sqlite.org/vfs.html; the tables of methods are copied and three methods replaced.
enum FaultyDisk {
  enum Fault: Int {
    /// Nothing of it is written, and the process dies.
    case kill
    /// Half of it is written, and the process dies.
    case tear
    /// There is no more room from now on.
    case full
    /// It fails once.
    case failure
  }

  static let name = "faulty"

  private struct State {
    var tables: [(original: Methods, copy: UnsafeMutablePointer<sqlite3_io_methods>)] = []
    var fault = Fault.failure
    var remaining = Int.max
    var system: UnsafeMutablePointer<sqlite3_vfs>?
  }

  // The methods of a VFS are functions without a context, and the one suite that uses this is serialized.
  nonisolated(unsafe) private static var state = State()

  private typealias Methods = UnsafePointer<sqlite3_io_methods>

  /// Makes the disk known to SQLite, without a fault to come.
  static func work() { fail(.failure, after: Int.max) }

  /// Makes the disk known to SQLite and has it fail at the write or sync that comes after so many others.
  static func fail(_ fault: Fault, after count: Int) {
    state.fault = fault
    state.remaining = count
    guard state.system == nil, let system = sqlite3_vfs_find(nil) else { return }
    state.system = system
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: system.pointee)
    // Never freed: SQLite keeps it until the process ends.
    copy.pointee.zName = UnsafePointer(strdup(name))
    copy.pointee.xOpen = { _, name, file, flags, result in
      guard let system = FaultyDisk.state.system else { return SQLITE_ERROR }
      let code = system.pointee.xOpen(system, name, file, flags, result)
      if let file, let original = file.pointee.pMethods { file.pointee.pMethods = FaultyDisk.replacing(original) }
      return code
    }
    sqlite3_vfs_register(copy, 0)
  }

  /// Whether the fault has come.
  static var hasFailed: Bool { state.remaining < 0 }

  private static func replacing(_ original: Methods) -> Methods {
    if let known = state.tables.first(where: { $0.original == original }) { return Methods(known.copy) }
    let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    copy.initialize(to: original.pointee)
    copy.pointee.xWrite = { file, bytes, count, offset in
      let code = FaultyDisk.pass { _ = FaultyDisk.original(file)?.pointee.xWrite(file, bytes, count / 2, offset) }
      return code ?? FaultyDisk.original(file)?.pointee.xWrite(file, bytes, count, offset) ?? SQLITE_ERROR
    }
    // What a killed process has written is with the kernel; waiting for the disk would only slow the tests down.
    copy.pointee.xSync = { _, _ in FaultyDisk.pass {} ?? SQLITE_OK }
    copy.pointee.xTruncate = { file, size in
      FaultyDisk.pass {} ?? FaultyDisk.original(file)?.pointee.xTruncate(file, size) ?? SQLITE_ERROR
    }
    state.tables.append((original, copy))
    return Methods(copy)
  }

  private static func original(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Methods? {
    let methods = file?.pointee.pMethods
    return state.tables.first { Methods($0.copy) == methods }?.original
  }

  /// Counts; when it is time, dies or says with which code to fail.
  private static func pass(_ half: () -> Void) -> Int32? {
    state.remaining -= 1
    if state.remaining >= 0 { return nil }
    switch state.fault {
    case .kill: kill(getpid(), SIGKILL)
    case .tear:
      half()
      kill(getpid(), SIGKILL)
    case .full: return SQLITE_FULL
    case .failure where state.remaining == -1:
      half()
      return SQLITE_IOERR | (3 << 8)
    case .failure: break
    }
    return nil
  }
}
