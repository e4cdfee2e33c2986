"""What script/torture-machines and script/bench-machines stand on: an sshd on the loopback or in a network of its own, and a Slurm
of its own."""
import getpass, os, shutil, signal, socket, subprocess, sys, time

from torture_model import write

PAUSE = 0.05


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """A Slurm whose nodes are all on this machine, with everything that it needs in one folder; its jobs are this user's."""

    NODES = "n1", "n2"

    def __init__(self, work):
        self.folder, host = work + "/slurm", socket.gethostname().partition(".")[0]
        for name in "run", "state", "spool":
            os.makedirs(f"{self.folder}/{name}")
        os.chmod(self.folder, 0o755)
        with open(self.folder + "/munge.key", "wb") as key:
            key.write(os.urandom(128))
        os.chmod(self.folder + "/munge.key", 0o400)
        ports = free_ports(1 + len(self.NODES))
        nodes = "".join(
            f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=8 RealMemory=1000 State=UNKNOWN\n"
            for node, port in zip(self.NODES, ports[1:]))
        self.configuration = self.folder + "/slurm.conf"
        write(self.configuration, f"""ClusterName=torture
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={getpass.getuser()}
SlurmdUser={getpass.getuser()}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={self.folder}/run/munge.sock
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool/%n
SlurmctldPidFile={self.folder}/run/slurmctld.pid
SlurmdPidFile={self.folder}/run/slurmd.%n.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=2
SlurmdTimeout=20
SlurmctldTimeout=20
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
{nodes}PartitionName=ci Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""")
        self.environment = {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin", "SLURM_CONF": self.configuration}
        self.running, self.nextLook = {}, 0
        self.spawn("munged", [
            "munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key", f"--socket={self.folder}/run/munge.sock",
            f"--pid-file={self.folder}/run/munged.pid", f"--log-file={self.folder}/munged.log",
            f"--seed-file={self.folder}/run/munge.seed", "--num-threads=2"])
        while not os.path.exists(self.folder + "/run/munge.sock"):
            time.sleep(PAUSE)
        self.mend()
        end = time.monotonic() + 30
        while self.states() != {"idle"}:
            if time.monotonic() > end:
                sys.exit(f"Slurm's nodes do not become idle: {self.states()}; see {self.folder}/*.log")
            time.sleep(PAUSE)

    def spawn(self, name, words):
        # By it, what a node runs besides jobs is known, too.
        environment = {**self.environment, "TORTURE_NODE": name}
        log = open(f"{self.folder}/{name}.out", "ab")
        self.running[name] = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        write(f"{self.folder}/run/{name}.number", str(self.running[name].pid))

    def ask(self, *words):
        try:
            return subprocess.run(words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                  timeout=20).stdout
        except subprocess.TimeoutExpired:
            return ""

    def states(self):
        return set(self.ask("sinfo", "--noheader", "--Node", "--format=%T").split())

    def mend(self):
        """What an administrator does: starts what is dead, and gives nodes back that Slurm does not trust."""
        def is_dead(name):
            return name not in self.running or self.running[name].poll() is not None
        if is_dead("slurmctld"):
            self.spawn("slurmctld", ["slurmctld", "-D", "-f", self.configuration])
        for node in self.NODES:
            os.makedirs(f"{self.folder}/spool/{node}", exist_ok=True)
            if is_dead(node):
                self.spawn(node, ["slurmd", "-D", "-N", node, "-f", self.configuration])
        if time.monotonic() > self.nextLook:
            self.nextLook = time.monotonic() + 2
            if any("drain" in state or "down" in state for state in self.states()):
                self.ask("scontrol", "update", "nodename=" + ",".join(self.NODES), "state=resume")

    def kill(self, name):
        self.running[name].kill()
        self.running[name].wait()

    def lose(self, node):
        """A node dies with all that runs on it."""
        self.kill(node)
        marks = f"TORTURE_NODE={node}\0".encode(), f"SLURMD_NODENAME={node}\0".encode()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    environment = file.read()
            except OSError:
                continue
            if self.configuration.encode() in environment and any(mark in environment for mark in marks):
                kill(int(pid))

    def jobs(self):
        """The numbers of the jobs that wait; None without an answer. Of others, Slurm's books are late."""
        words = ["squeue", "--noheader", "--states=PENDING", "--format=%i"]
        run = subprocess.run(words, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return None if run.returncode else run.stdout.split()

    def machine(self, home, arguments="[]", more=""):
        """What martlet.yml says of a machine that is this cluster."""
        return f"{{slurm: {arguments}, home: {home}{more}}}"

    def stop(self):
        for name in [*self.NODES, "slurmctld", "munged"]:
            if name in self.running:
                self.kill(name)


class Network:
    """A network namespace that a cable joins to this machine's network. Needs root, iproute2 and util-linux."""

    #: Loses what is sent, without an answer to anybody: both ways, only from there, or only from here.
    CUTS = "both", "answers", "requests"

    def __init__(self):
        # It lives as long as a process is in it.
        self.keeper = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self.inside = ["nsenter", f"--net=/proc/{self.keeper.pid}/ns/net"]
        own = os.stat("/proc/self/ns/net").st_ino
        while os.stat(f"/proc/{self.keeper.pid}/ns/net").st_ino == own:
            time.sleep(PAUSE)
        self.cable = f"torture{os.getpid()}"
        # https://www.rfc-editor.org/rfc/rfc2544: addresses for tests, of which two runs use others.
        self.here, self.there = (f"198.18.{os.getpid() % 256}.{end}" for end in (1, 2))
        self.ip("link", "add", self.cable, "type", "veth", "peer", "name", "far", "netns", str(self.keeper.pid))
        self.ip("address", "add", self.here + "/30", "dev", self.cable)
        self.ip("link", "set", self.cable, "up")
        self.ip("address", "add", self.there + "/30", "dev", "far", inside=True)
        self.ip("link", "set", "far", "up", inside=True)

    def ip(self, *words, inside=False):
        subprocess.run([*(self.inside if inside else []), "ip", *words], check=True)

    def cut(self, way):
        if way == "both":
            self.ip("link", "set", "far", "down", inside=True)
        elif way == "answers":
            self.ip("route", "add", "blackhole", self.here + "/32", inside=True)
        else:
            self.ip("route", "add", "blackhole", self.there + "/32")

    def mend(self, way):
        if way == "both":
            self.ip("link", "set", "far", "up", inside=True)
        elif way == "answers":
            self.ip("route", "del", "blackhole", self.here + "/32", inside=True)
        else:
            self.ip("route", "del", "blackhole", self.there + "/32")

    def remove(self):
        self.keeper.kill()
        self.keeper.wait()


class Sshd:
    """An sshd that lets one key in, with all that it needs in one folder, and to no shell's own settings."""

    def __init__(self, work, network=None):
        self.work, self.network = work, network
        self.address = network.there if network else "127.0.0.1"
        (self.port,) = free_ports(1)
        os.makedirs(work + "/ssh")
        for name in "host", "user":
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{work}/ssh/{name}"], check=True)
        shutil.copy(work + "/ssh/user.pub", work + "/ssh/authorized")
        with open(work + "/ssh/host.pub") as key:
            write(work + "/ssh/known", f"[{self.address}]:{self.port} {' '.join(key.read().split()[:2])}\n")
        write(work + "/ssh/config", f"""Port {self.port}
ListenAddress {self.address}
HostKey {work}/ssh/host
AuthorizedKeysFile {work}/ssh/authorized
StrictModes no
UsePAM no
PidFile none
PasswordAuthentication no
PermitRootLogin yes
MaxStartups 100
SetEnv HOME={work}/ssh
""")
        self.process = None
        self.start()

    def machine(self, login, home, more=""):
        """What martlet.yml says of a machine that is reached through the server."""
        return (
            f"{{ssh: \"{login}@{self.address}:{self.port}\", home: {home}, key: {self.work}/ssh/user, "
            f"known-hosts: {self.work}/ssh/known{more}}}")

    def start(self):
        if self.process:
            return
        os.makedirs("/run/sshd", exist_ok=True)
        inside = self.network.inside if self.network else []
        self.process = subprocess.Popen(
            [*inside, "/usr/sbin/sshd", "-D", "-e", "-f", self.work + "/ssh/config"],
            stderr=open(self.work + "/sshd.log", "ab"))
        while True:
            try:
                return socket.create_connection((self.address, self.port), 1).close()
            except OSError:
                time.sleep(PAUSE)

    def stop(self):
        """Also cuts every connection: no one listens, and none is left."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
        self.cut()

    def cut(self):
        def is_connection(words, _):
            return words[0] == "ssh" and any(word.endswith("@" + self.address) for word in words)
        for pid in processes(self.work, is_connection):
            kill(pid)


def processes(work, fits):
    """The living processes that have to do with a folder, and for whose words and ID a condition holds."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
            with open(f"/proc/{pid}/environ", "rb") as file:
                own = work.encode() in file.read() or work in " ".join(words)
            with open(f"/proc/{pid}/stat") as file:
                state = file.read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if own and state not in "ZX" and int(pid) != os.getpid() and fits(words, pid):
            found.append(int(pid))
    return found


def kill(pid, number=signal.SIGKILL):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
