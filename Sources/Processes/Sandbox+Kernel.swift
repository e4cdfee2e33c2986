import CProcess

extension Sandbox {
  /// Parts of the kernel that a contained program has only when they are allowed; `filter.c` says which system calls they
  /// are, and what else is always refused.
  package struct Features: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    private init(_ feature: cprocess_feature) {
      rawValue = feature.rawValue
    }

    package static let keyrings = Features(CPROCESS_KEYRINGS)
    package static let vsock = Features(CPROCESS_VSOCK)
    /// Sockets of other families than Unix, the internet's, and that of routes.
    package static let sockets = Features(CPROCESS_SOCKETS)
    package static let ioUring = Features(CPROCESS_IO_URING)
    package static let bpf = Features(CPROCESS_BPF)
    package static let perf = Features(CPROCESS_PERF)
    package static let userfaultfd = Features(CPROCESS_USERFAULTFD)
    /// Making files and folders with the setuid, setgid or sticky bit.
    package static let setuid = Features(CPROCESS_SETUID)
  }

  /// The sandbox of a program that looks at a process of this one: it sees the same processes and files, and writes none.
  ///
  /// - Parameter process: the number that the process has outside.
  package func looking(at process: Int32) -> Sandbox {
    var sandbox = self
    sandbox.companion = process
    sandbox.readable += writable + [home, temporaryFolder].compactMap(\.self)
    // A view would take the way into the process's namespaces, and no stack leads to what is written there.
    (sandbox.writable, sandbox.views) = ([], [])
    (sandbox.home, sandbox.temporaryFolder, sandbox.reporter) = (nil, nil, nil)
    (sandbox.network, sandbox.router, sandbox.features) = (false, nil, [])
    return sandbox
  }

  /// The namespaces in bubblewrap's words.
  ///
  /// The user namespace is also made for root, whose capabilities would otherwise reach the machine's mounts. A companion's
  /// is entered once the mounts stand, with the right to look at its processes, which is worth something only there.
  var namespaces: [String] {
    let kept = ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    guard companion != nil else { return ["--unshare-user", "--disable-userns", "--unshare-pid"] + kept }
    return [
      "--userns", "\(CPROCESS_OUTER_USERS)", "--userns2", "\(CPROCESS_INNER_USERS)", "--pidns", "\(CPROCESS_PROCESSES)",
    ] + kept
  }

  /// Capabilities and system calls, in bubblewrap's words.
  var rights: [String] {
    ["--cap-drop", "ALL"] + (companion == nil ? [] : ["--cap-add", "CAP_SYS_PTRACE"])
      + ["--seccomp", "\(CPROCESS_FILTER)"]
  }
}
