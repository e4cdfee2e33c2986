import Glibc
import Scheduling

enum Machine {
  /// The default number of integrations to run at once.
  static let jobs = DefaultJobs.count(
    cores: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))),
    memoryBytes: max(1, sysconf(Int32(_SC_PHYS_PAGES))) * max(1, sysconf(Int32(_SC_PAGESIZE))))
}
