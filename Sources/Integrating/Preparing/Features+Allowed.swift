import Model
import Processes

extension Sandbox.Features {
  init(_ allowed: [SandboxPolicy.Feature]) {
    self = allowed.reduce(into: []) { features, feature in
      switch feature {
      case .keyrings: features.insert(.keyrings)
      case .vsock: features.insert(.vsock)
      case .sockets: features.insert(.sockets)
      case .ioUring: features.insert(.ioUring)
      case .bpf: features.insert(.bpf)
      case .perf: features.insert(.perf)
      case .userfaultfd: features.insert(.userfaultfd)
      case .setuid: features.insert(.setuid)
      }
    }
  }
}
