import CProcess
import Glibc

/// An error from running a program or recording its output.
package struct ProcessError: Error, Hashable, CustomStringConvertible {
  /// The kinds of errors that callers distinguish.
  package enum Code: Hashable, Sendable {
    /// There is no such program.
    case notFound
    /// The file exists but is not a program for this user and machine.
    case notExecutable
    /// The working directory is missing or inaccessible to this user.
    case workingDirectory
    /// The command contains strings that cannot be passed to a program.
    case malformed
    /// The machine has run out of processes, descriptors or memory.
    case exhausted
    /// The output exceeded the limit for collecting it.
    case tooMuchOutput
    /// A log could not be written.
    case log
    /// The keeper process that supervises the program was killed.
    case unwatched
    /// The system refused an operation for an unforeseen reason.
    case system
  }

  package let code: Code
  /// The operation, its subject, the reason and what to do next.
  package let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension ProcessError {
  static func notFound(_ name: String, path: String) -> ProcessError {
    let place = path.isEmpty ? "PATH is empty" : "it is in no folder of PATH (\(path))"
    return ProcessError(
      .notFound, "Could not start “\(name)”: \(place). Install it, or add its folder to PATH.")
  }

  static func malformed(_ name: String, why: String) -> ProcessError {
    let name = String(name.map { $0 == "\0" ? "�" : $0 })
    return ProcessError(.malformed, "Could not start “\(name)”: \(why). Correct the command.")
  }

  package static func tooMuchOutput(_ name: String, limit: Int) -> ProcessError {
    ProcessError(
      .tooMuchOutput,
      "Could not collect the output of “\(name)”: it is longer than \(limit) bytes. The program was ended; "
        + "run it by hand to see what it writes.")
  }

  static func unwatched(_ name: String) -> ProcessError {
    ProcessError(
      .unwatched,
      "Could not watch “\(name)” to its end: its keeper process was killed from outside. Look for processes that it "
        + "may have left, and run it again.")
  }

  static func log(_ path: String, verb: String, errno code: Int32) -> ProcessError {
    let next =
      switch code {
      case ENOSPC, EDQUOT: "Make room on that disk"
      case EACCES, EPERM, EROFS: "Let Martlet write there"
      case ENOENT, ENOTDIR: "Create the folder that it belongs in"
      default: "Look after that disk and folder"
      }
    return ProcessError(.log, "Could not \(verb) the log “\(path)”: \(reason(code)). \(next), and run it again.")
  }

  static func pipe(_ verb: String, _ path: String, errno code: Int32) -> ProcessError {
    ProcessError(.system, "Cannot \(verb) the pipe \(path): \(reason(code)). \(adviceOnHome(code))")
  }

  /// Returns what to do about an error number of a file in the home.
  package static func adviceOnHome(_ code: Int32) -> String {
    switch code {
    case ENOSPC, EDQUOT: "Make room on the disk."
    case EACCES, EPERM, EROFS: "Check that the home belongs to the user that runs Martlet."
    default: "Check the disk and the permissions of the home."
    }
  }

  static func system(_ what: String, errno code: Int32) -> ProcessError {
    if let exhausted = exhausted(code) {
      return ProcessError(.exhausted, "Could not \(what): \(exhausted)")
    }
    return ProcessError(.system, "Could not \(what): \(reason(code)). This is not foreseen; please report it.")
  }

  /// Returns the reason and the advice if the machine has run out of something, otherwise nil.
  static func exhausted(_ code: Int32) -> String? {
    switch code {
    case EAGAIN: "no more processes are allowed. End some, or raise “ulimit -u”."
    case EMFILE: "Martlet has too many files open. Run fewer jobs, or raise “ulimit -n”."
    case ENFILE: "the machine has too many files open. End some programs, or raise fs.file-max."
    case ENOMEM: "the machine is out of memory. Run fewer jobs, or add memory."
    default: nil
    }
  }

  /// Returns the system's message for an error number, as the middle of a sentence.
  package static func reason(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension ProcessError {
  /// Returns the error for a failed start, based on the stage and error number that the keeper reported.
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
    case CPROCESS_AT_NULL:
      return ProcessError(
        .system, "\(what): /dev/null cannot be opened: \(reason(code)). Let everybody write to it: chmod 666 /dev/null."
      )
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
    case CPROCESS_AT_SANDBOX:
      return ProcessError(
        .system,
        "\(what) with its filter of system calls and its namespaces: \(reason(code)). Let this user and container make "
          + "files in memory, and look into the namespaces of the processes that they start.")
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
