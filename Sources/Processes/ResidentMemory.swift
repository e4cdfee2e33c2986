import CProcess

/// The memory that this process keeps in the machine's.
package enum ResidentMemory {
  /// Gives back what a process that has nothing to do does not need: unused heap, and the pages of code and constants that
  /// were needed to get here.
  ///
  /// The pages come back from the page cache when they are touched, in microseconds each; nothing is lost.
  package static func release() {
    cprocess_release_memory()
  }
}
