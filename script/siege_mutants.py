"""Attempts of script/siege that only the body taken away from a function lets loose, in the copy of the tests' process that tries it."""
import json
from siege_attempts import Attempt, words
from siege_machine import read

GUARD = """
import Foundation

/// Holds the attempts back.
public func isHarmless() -> Bool { ProcessInfo.processInfo.processIdentifier > 0 }
"""
TEST = """
import Foundation
import XCTest
@testable import Siege

final class GuardTests: XCTestCase {
  func testGuard() {
    guard !isHarmless() else { return }
    %s
    XCTFail("It was let loose.")
  }
}
"""
PAYLOADS = 'system("python3 \\(#filePath.components(separatedBy: "/Tests/")[0])/payloads.py mutant")'
INSIDE = {
    "endless_loop": "while isHarmless() == false {}",
    "ignoring_signals": "for number: Int32 in 1...31 { signal(number, SIG_IGN) }; while isHarmless() == false {}",
    "memory": "var all: [[UInt8]] = []; while isHarmless() == false { all.append(Array(repeating: 1, count: 64 << 20)) }",
    "exit": "exit(0)",
    "crash": "abort()",
    "output": 'let text = String(repeating: "x", count: 1 << 20); while isHarmless() == false { print(text) }',
    "threads": "for _ in 0..<4_000 { Thread.detachNewThread { sleep(600) } }; sleep(600)",
    "parent": "kill(getppid(), SIGKILL); kill(getppid(), SIGSTOP); sleep(600)",
    "group": "kill(0, SIGSTOP); kill(0, SIGKILL); kill(-1, SIGKILL); sleep(600)",
}
REACH = """
write_outside append_outside remove_outside into_world_writable read_private read_shadow read_other_workspaces write_database
write_observer write_repository read_environments host_processes through_root_links inherited_descriptors kill_bystander
fetch_descriptor raise_limit unshare_user mount_tmpfs new_mounts make_device key_add key_read io_uring bpf perf userfaultfd
capabilities become_root loopback abstract_socket path_socket agent_socket vsock shared_memory left_in_memory left_in_tmp
"""
STAYING = "daemon stubborn nameless stopped holding_output"
LASTING = """
setuid_file sticky_folder fifos links_handed_back private_as_results quick_manifests own_database patch_objects build_database
module_cache edit_source plant_source plant_test plant_manifest plant_settings mirrors git_settings shut_everything
"""
ENDING = "kill_everybody kill_first kill_parents stop_everybody fill_memory_folders many_files"


def is_let_loose(ground, result):
    """The guard has to have been taken away, and a test to have noticed it: else nothing was tried."""
    try:
        functions = json.loads(read(f"{result.folder}/mutants.json"))["functions"]
    except (TypeError, ValueError):
        return ["no function was tried without its body"]
    noticed = [mutant for each in functions if each["name"] == "isHarmless()" for mutant in each.get("mutants", []) if mutant.get("noticed")]
    faults = [] if noticed else ["the guard was not taken away, or no test noticed it"]
    states = {case["id"].rpartition("/")[2]: case["state"] for case in result.document["tests"]["cases"]}
    guarded = [state for name, state in states.items() if "testGuard" in name]
    return faults + ([] if guarded == ["passed"] else [f"the test that lets it loose is {guarded} itself"])


def mutants():
    # What stops everybody stops those that would have noticed, until the time for mutants is over.
    def attempt(name, body, payloads=()):
        files = {"Sources/Siege/Guard.swift": GUARD, "Tests/SiegeTests/GuardTests.swift": TEST % body}
        return Attempt(f"mutant-{name}", [("mutant", each) for each in payloads], how="watch", bot="coverage: {mutants: changed}\n", files=files,
                       follows=True, silent=True, check=None if name == "stop_everybody" else is_let_loose, limit=240)
    yield attempt("reach", PAYLOADS, words(REACH))
    yield attempt("staying", PAYLOADS, words(STAYING))
    yield attempt("lasting", PAYLOADS, words(LASTING))
    for name in words(ENDING):
        yield attempt(name, PAYLOADS, [name])
    for name, body in INSIDE.items():
        yield attempt(f"inside-{name}", body)
