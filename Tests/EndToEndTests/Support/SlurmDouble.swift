import FoundationEssentials
import Processes

/// The programs of Slurm that Martlet calls, doubled by scripts, with a controller that lives as long as its owner.
///
/// A file `down` has the controller not answer, and a file `hold` has jobs wait; `submitted` and `canceled` tell what was
/// asked for.
final class SlurmDouble {
  private let scratch: ScratchFolder
  private let program: ListeningProgram

  /// The folder of the programs.
  var programs: String { scratch.file("slurm/bin") }

  init(of scratch: ScratchFolder) throws {
    self.scratch = scratch
    let folder = scratch.file("slurm")
    let silent = "Unable to contact slurm controller (connect failure)"
    try scratch.write(
      """
      #!/bin/sh
      cd '\(folder)'
      for word; do
        case "$word" in
          --partition=nope) echo 'allocation failure: Invalid partition name specified' >&2; exit 1 ;;
          --test-only) exit 0 ;;
          --comment=*) comment=${word#*=} ;;
          --output=*) output=${word#*=} ;;
        esac
      done
      [ -e down ] && { echo 'sbatch: error: Batch job submission failed: \(silent)' >&2; exit 1; }
      id=$(($(cat last 2> /dev/null || echo 0) + 1)); echo $id > last
      echo "$@" >> submitted
      if [ -e hold ]; then
        echo "$id|PENDING|Resources|$comment" > job.$id
      else
        echo "$id|RUNNING|None|$comment" > job.$id
        echo "$id $output $word" >> controller
      fi
      echo $id

      """, to: "slurm/bin/sbatch", mode: 0o755)
    try scratch.write(
      """
      #!/bin/sh
      cd '\(folder)'
      [ -e down ] && { echo 'slurm_load_jobs error: \(silent)' >&2; exit 1; }
      for job in job.*; do [ -e "$job" ] && cat "$job"; done
      exit 0

      """, to: "slurm/bin/squeue", mode: 0o755)
    try scratch.write(
      """
      #!/bin/sh
      cd '\(folder)'
      echo "$@" >> canceled
      for id; do rm -f job.$id; done

      """, to: "slurm/bin/scancel", mode: 0o755)
    program = try ListeningProgram(
      Command(
        "sh",
        [
          "-c",
          """
          cd "$1"; mkfifo controller; exec 3<> controller; echo ready
          while read -r id output script <&3; do
            (sh "$script" >> "$output" 2>&1 < /dev/null; rm -f job.$id) > /dev/null 2>&1 3>&- &
          done
          """, "sh", folder,
        ], environment: ["PATH": "\(folder)/bin:\(Self.path)"], workingDirectory: "/"),
      until: "ready", name: "the controller")
  }

  /// Jobs see the toolchain of the test, as nodes have one.
  static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

  /// Has the controller answer no more.
  func endAnswers() throws { try scratch.write("", to: "slurm/down") }

  /// Has jobs wait.
  func hold() throws { try scratch.write("", to: "slurm/hold") }

  /// The arguments of each job, a line each.
  var submitted: [String] {
    get throws { try scratch.read("slurm/submitted").split(separator: "\n").map(String.init) }
  }

  /// The numbers of the jobs that were ended.
  var canceled: [String] {
    get throws { try scratch.read("slurm/canceled").split(whereSeparator: \.isWhitespace).map(String.init) }
  }
}
