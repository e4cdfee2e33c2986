import Model

extension Field {
  /// Reads the machines to integrate on, by name and in the order of the file; nil if any is invalid.
  func machines(in surroundings: Surroundings) -> [MachineSettings]? {
    guard let fields = fields("{big: {ssh: ci@big.example.org}}") else { return nil }
    let machines = fields.all.map { $0.machine(in: surroundings) }
    return machines.allSatisfy { $0 != nil } ? machines.compactMap(\.self) : nil
  }

  private func machine(in surroundings: Surroundings) -> MachineSettings? {
    guard !reportsMissingValue() else { return nil }
    guard Self.isLabel(name), name != MachineSettings.ownName else {
      let reason =
        name == MachineSettings.ownName
        ? "is the name of the machine that watches; call this one otherwise"
        : "is no name of a machine; use letters, digits, '.', '_' and '-'"
      findings.add(at: keyStart, "'\(name.shortened)' \(reason)")
      return nil
    }
    let example = "{ssh: ci@big.example.org, slots: 2}"
    guard let fields = fields(example) else { return nil }
    let (ssh, slurm) = (fields.field("ssh"), fields.field("slurm"))
    var machine = MachineSettings(name: name, host: nil)
    let login = ssh.flatMap { $0.login() }
    if let login { (machine.host, machine.port) = login }
    machine.slurm = slurm.flatMap { $0.list("[--partition=ci]") { $0.slurmOption() } }
    fields.take("slots", into: &machine.slots) { $0.number(in: 1...1024) }
    fields.take("labels", into: &machine.labels) { $0.list("[arm64]") { $0.machineLabel() } }
    fields.take("home", into: &machine.home) { $0.machineFolder() }
    fields.take("key", into: &machine.key) { $0.sshPath(in: surroundings, "~/.ssh/martlet") }
    fields.take("known-hosts", into: &machine.knownHosts) { $0.sshPath(in: surroundings, "~/.ssh/known_hosts") }
    fields.update("environment", &machine.environment) { $0.environment($1) }
    fields.finish()
    guard ssh != nil || slurm != nil else {
      return refuse("'\(name.shortened)' needs 'ssh', the login there, such as \(example), or 'slurm'")
    }
    guard slurm == nil || machine.home?.hasPrefix("/") == true else {
      return refuse("'\(name.shortened)' needs 'home', the absolute path of a folder that all nodes of Slurm share")
    }
    return (login == nil) == (ssh == nil) && (machine.slurm == nil) == (slurm == nil) ? machine : nil
  }

  /// Reads a login for ssh, such as `ci@big.example.org:22`; the port may be missing.
  private func login() -> (host: String, port: Int?)? {
    let expectation = "a login such as ci@big.example.org, with a port if need be: ci@big.example.org:2222"
    guard let text = text(expectation) else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, let host = parts.first, !host.isEmpty, !host.hasPrefix("-"),
      host.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "@._-".contains($0)) })
    else { return expected(expectation) }
    guard parts.count == 2 else { return (host, nil) }
    guard let port = Int(parts[1]), (1...65535).contains(port) else { return expected(expectation) }
    return (host, port)
  }

  /// Reads an argument for sbatch.
  private func slurmOption() -> String? {
    let expectation = "a long option of sbatch with its value, such as --partition=ci"
    guard let text = text(expectation) else { return nil }
    let option = text.prefix { $0 != "=" }
    guard option.hasPrefix("--"), option.count > 2, text.allSatisfy({ $0.isASCII && !$0.isWhitespace }) else {
      return expected(expectation)
    }
    guard !MachineSettings.ownSlurmOptions.contains(String(option)) else {
      return refuse("'\(option)' is Martlet's own to give to sbatch")
    }
    return text
  }

  /// Reads a folder on another machine: absolute, or relative to the login's home.
  private func machineFolder() -> String? {
    text("a folder there such as /srv/martlet, absolute or from the login's home") { text in
      let parts = text.split(separator: "/")
      return !parts.isEmpty && !text.hasPrefix("~") && !text.hasPrefix("-") && !parts.contains("..")
    }
  }

  func machineLabel() -> String? {
    text("a label of letters, digits, '.', '_' and '-' such as arm64", where: Self.isLabel)
  }

  private static func isLabel(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 80
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
      && text.first.map { $0.isLetter || $0.isNumber } == true
  }
}
