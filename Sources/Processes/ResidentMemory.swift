import CProcess
import Glibc

/// This process's resident memory.
package enum ResidentMemory {
  /// Releases memory that an idle process does not need: unused heap, and pages of code and constants that were needed
  /// to get here.
  ///
  /// The pages come back from the page cache when they are touched, in microseconds each; nothing is lost.
  package static func release() {
    cprocess_release_memory()
  }

  /// The resident size of this process, in bytes; zero if the kernel does not report it.
  package static var ofThisProcess: Int {
    // https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
    let fields = KernelFile.text("/proc/self/statm").split(separator: " ")
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
