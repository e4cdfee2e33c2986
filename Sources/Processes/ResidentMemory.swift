import CProcess
import Glibc

/// The memory that this process keeps in the machine's.
package enum ResidentMemory {
  /// Gives back what a process that has nothing to do does not need: unused heap, and the pages of code and constants that
  /// were needed to get here.
  ///
  /// The pages come back from the page cache when they are touched, in microseconds each; nothing is lost.
  package static func release() {
    cprocess_release_memory()
  }

  /// The bytes that this process has in the machine's memory; zero where the kernel does not say.
  package static var ofThisProcess: Int {
    // https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
    let fields = KernelFile.text("/proc/self/statm").split(separator: " ")
    return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
