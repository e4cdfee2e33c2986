import CProcess
import Glibc

extension ProcessError {
  /// What a failed start means, from the stage and the error number that the keeper reported.
  static func start(_ command: Command, file: String, stage: cprocess_stage, errno code: Int32) -> ProcessError {
    let what = "Could not start “\(command.executable)”"
    switch stage {
    case CPROCESS_AT_FOLDER:
      return ProcessError(
        .workingDirectory,
        "\(what) in the folder “\(command.workingDirectory)”: \(reason(code)). Create the folder, or let Martlet enter it."
      )
    case CPROCESS_AT_INPUT:
      return ProcessError(
        .system,
        "Could not open “\(command.standardInput ?? "")” as the input of “\(command.executable)”: \(reason(code)). "
          + "Write the file first.")
    case CPROCESS_AT_PROGRAM:
      return program(what, file: file, errno: code)
    case CPROCESS_AT_CHILDREN_LIST:
      return ProcessError(
        .system,
        "\(what): the kernel does not list a process's children (\(reason(code))). Mount /proc, on a kernel with "
          + "CONFIG_PROC_CHILDREN.")
    case CPROCESS_AT_LIMITS:
      return ProcessError(.system, "\(what) with its limits: \(reason(code)). Correct the limits.")
    case CPROCESS_AT_GROUP:
      return ProcessError(
        .system, "\(what) in a control group of its own: \(reason(code)). Try again: another program removed the group."
      )
    case CPROCESS_AT_NETWORK:
      return ProcessError(
        .system,
        "\(what) in a network of its own: \(reason(code)). Let this user and container make user and network namespaces, "
          + "and open /dev/net/tun.")
    case CPROCESS_AT_VIEW:
      return ProcessError(
        .system,
        "\(what) with throw-away views of folders: \(reason(code)). Let this user and container make user and mount "
          + "namespaces and mount overlays in them.")
    default:
      return .system("start “\(command.executable)”", errno: code)
    }
  }

  private static func program(_ what: String, file: String, errno code: Int32) -> ProcessError {
    switch code {
    case ENOENT where access(file, F_OK) == 0:
      return ProcessError(
        .notExecutable,
        "\(what): the interpreter or loader that “\(file)” names is missing. Correct its first line, or install that.")
    case ENOENT, ENOTDIR:
      return ProcessError(.notFound, "\(what): there is no file “\(file)”. Install it, or correct the path.")
    case EACCES:
      return ProcessError(
        .notExecutable, "\(what): “\(file)” may not be executed. Make it executable with “chmod +x”.")
    case ENOEXEC:
      return ProcessError(
        .notExecutable,
        "\(what): “\(file)” is not a program for this machine. A script begins with a line such as “#!/bin/sh”.")
    case E2BIG:
      return ProcessError(
        .malformed, "\(what): its arguments and environment are too long. Pass the text in a file instead.")
    case ETXTBSY:
      return ProcessError(
        .notExecutable, "\(what): “\(file)” is open for writing. Wait until it is written, and run it again.")
    default:
      return .system("start “\(file)”", errno: code)
    }
  }
}
