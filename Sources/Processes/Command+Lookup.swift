import Glibc

extension Command {
  /// Finds the program's file; whether it can be executed is for the kernel to say.
  package func lookUp() throws(ProcessError) -> String {
    guard !executable.contains("/") else { return executable }
    let path = environment["PATH"] ?? ""
    for folder in path.split(separator: ":") where folder.hasPrefix("/") {
      let candidate = folder + "/" + executable
      if isExecutableFile(String(candidate)) { return String(candidate) }
    }
    throw .notFound(executable, path: path)
  }

  private func isExecutableFile(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Refuses what would reach the program otherwise than it was written.
  func validate() throws(ProcessError) {
    let texts = [executable, workingDirectory] + arguments + environment.keys + environment.values
    if texts.contains(where: { $0.utf8.contains(0) }) {
      throw .malformed(executable, why: "an argument, variable or path contains a NUL byte")
    }
    if executable.isEmpty { throw .malformed(executable, why: "the name is empty") }
    if let name = environment.keys.first(where: { $0.isEmpty || $0.contains("=") }) {
      throw .malformed(executable, why: "“\(name)” is not the name of an environment variable")
    }
  }
}
