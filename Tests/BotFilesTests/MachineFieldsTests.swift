import BotFiles
import Model
import Testing

@Suite("Machines in martlet.yml, and labels in bots")
struct MachineFieldsTests {
  private func read(_ text: String) throws -> ServerSettings {
    try Reading.settings(Array(text.utf8), in: "/etc/martlet")
  }

  private func messages(_ text: String) -> [String] {
    Reading.problems { _ = try read(text) }.map(Reading.line)
  }

  @Test("Every field of a machine is read, in the order of the file")
  func everything() throws {
    let settings = try read(
      """
      jobs: 0
      machines:
        small: {ssh: small}
        big:
          ssh: ci@big.example.org:2222
          slots: 4
          labels: [arm64, docker]
          home: /srv/martlet
          key: ~/.ssh/martlet
          known-hosts: hosts
          environment: {PATH: /opt/toolchain/usr/bin:/usr/bin:/bin}
      when-down: local
      """)
    var big = MachineSettings(name: "big", host: "ci@big.example.org")
    big.port = 2222
    big.slots = 4
    big.labels = ["arm64", "docker"]
    big.home = "/srv/martlet"
    big.key = "/users/ada/.ssh/martlet"
    big.knownHosts = "/etc/martlet/hosts"
    big.environment = ["PATH": "/opt/toolchain/usr/bin:/usr/bin:/bin"]
    #expect(settings.machines == [MachineSettings(name: "small", host: "small"), big])
    #expect(settings.jobs == 0)
    #expect(settings.whenDown == .local)
    #expect(big.allLabels == ["arm64", "docker", "big"])
  }

  @Test("A machine may be a cluster that Slurm runs, also behind a login")
  func slurm() throws {
    let settings = try read(
      """
      machines:
        here: {slurm: [], home: /shared}
        there: {ssh: login, slurm: [--partition=ci, --mem=4G], home: /shared, slots: 8}
      """)
    let (here, there) = (settings.machines[0], settings.machines[1])
    #expect(here.host == nil && here.slurm == [] && here.home == "/shared")
    #expect(there.host == "login" && there.slurm == ["--partition=ci", "--mem=4G"] && there.slots == 8)
  }

  @Test(
    "What is wrong with a machine is told with its place",
    arguments: [
      ("machines: {local: {ssh: a}}", "1:12: 'local' is the name of the machine that watches; call this one otherwise"),
      ("machines: {a/b: {ssh: a}}", "1:12: 'a/b' is no name of a machine; use letters, digits, '.', '_' and '-'"),
      (
        "machines: {a: {slots: 2}}",
        "1:15: 'a' needs 'ssh', the login there, such as {ssh: ci@big.example.org, slots: 2}, or 'slurm'"
      ),
      (
        "machines: {a: {slurm: []}}",
        "1:15: 'a' needs 'home', the absolute path of a folder that all nodes of Slurm share"
      ),
      (
        "machines: {a: {slurm: [], home: martlet}}",
        "1:15: 'a' needs 'home', the absolute path of a folder that all nodes of Slurm share"
      ),
      (
        "machines: {a: {slurm: [-p ci], home: /shared}}",
        "1:24: each of 'slurm' should be a long option of sbatch with its value, such as --partition=ci, not '-p ci'"
      ),
      (
        "machines: {a: {slurm: [--requeue], home: /shared}}",
        "1:24: '--requeue' is Martlet's own to give to sbatch"
      ),
      (
        "machines: {a: {ssh: \"-oProxyCommand=x\"}}",
        "1:21: 'ssh' should be a login such as ci@big.example.org, with a port if need be: ci@big.example.org:2222, not '-oProxyCommand=x'"
      ),
      (
        "machines: {a: {ssh: \"a:0\"}}",
        "1:21: 'ssh' should be a login such as ci@big.example.org, with a port if need be: ci@big.example.org:2222, not 'a:0'"
      ),
      (
        "machines: {a: {ssh: a, home: ../b}}",
        "1:30: 'home' should be a folder there such as /srv/martlet, absolute or from the login's home, not '../b'"
      ),
      ("machines: {a: {ssh: a, slots: 0}}", "1:31: 'slots' should be a whole number from 1 to 1024, not '0'"),
      (
        "machines: {a: {ssh: a, host: b}}",
        "1:24: unknown key 'host' in 'a'; known are ssh, slurm, slots, labels, home, key, known-hosts, environment"
      ),
      ("when-down: never", "1:12: 'when-down' should be one of wait, local, not 'never'"),
    ])
  func problems(text: String, message: String) {
    #expect(messages(text) == [message])
  }

  @Test("Jobs may be none only where there are other machines")
  func jobs() {
    #expect(messages("jobs: 0") == ["1:7: 'jobs' should be a whole number from 1 to 1024, not '0'"])
    #expect(messages("jobs: 0\nmachines: {a: {ssh: a}}") == [])
  }

  @Test("A bot names the labels that its machine needs")
  func labels() throws {
    let bot = try Reading.bot("repository: /srv/Greeter.git\nwhere: [arm64, big]\n")
    #expect(bot.labels == ["arm64", "big"])
    #expect(try Reading.bot("repository: /srv/Greeter.git\n").labels == [])
  }
}
