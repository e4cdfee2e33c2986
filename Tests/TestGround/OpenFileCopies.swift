import FoundationEssentials
import Glibc

/// Copies of the descriptors by which this process has a file open, as a child has them until it runs its program.
package struct OpenFileCopies {
  private let descriptors: [Int32]

  package init(of path: String) {
    let found = (0..<Int32(getdtablesize())).filter { number in
      // A number that is not open leads nowhere.
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path
    }
    descriptors = found.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
  }

  package var count: Int { descriptors.count }

  package func close() {
    for descriptor in descriptors { Glibc.close(descriptor) }
  }
}
