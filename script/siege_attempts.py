"""What script/siege tries. An attempt is a commit, and what may not follow from it."""
import os, re
from dataclasses import dataclass, field
from siege_ground import PACKAGE
from siege_machine import read

ARCHIVE = "actions: [build, test, archive]\n"


@dataclass
class Attempt:
    name: str
    #: What is carried out where: (place, name) of functions in siege-package.
    payloads: list = field(default_factory=list)
    #: How Martlet is asked: run, detached (run --commit), watch.
    how: str = "run"
    #: The branch of the hostile commit; the honest one is on main, and where this is another, has nothing to do with it.
    branch: str = "main"
    #: More of the bot's file; with it, `how` is watch.
    bot: str = None
    #: More files of the commit, or a function that makes the commit in a ground.
    files: dict = field(default_factory=dict)
    make: object = None
    #: Whether an honest commit follows, which must come out as in a fresh home.
    follows: bool = False
    #: Looks at the ground and the result, and gives sentences.
    check: object = None
    #: Whether the attempt cannot tell that it was carried out, as it ends its own process, or has no code.
    silent: bool = False
    #: Whether several are made in one commit.
    joins: bool = False
    #: Seconds that Martlet may take.
    limit: int = 150
    #: Whether Martlet may refuse the commit, with a reason, before it integrates anything.
    refusable: bool = False
    #: Whether Martlet is killed in the middle of it.
    kills: bool = False
    short: bool = False


def words(text):
    return text.split()


DIRECT = words("""
write_outside append_outside truncate_outside remove_outside rename_outside mode_outside link_outside into_world_writable
fifo_outside read_private read_shadow read_users read_other_workspaces write_database write_toolchain write_observer
write_repository read_repository read_environments host_processes through_root_links inherited_descriptors kill_bystander
write_first fetch_descriptor raise_priority score_kernel raise_limit leave_control_group unshare_user
unshare_mount unshare_network clone_user clone3_user join_namespaces mount_tmpfs remount_usr bind_root unmount_proc turn_root
new_mounts change_root make_device open_devices write_sysctl sysrq by_handle watch_everything key_add key_add_user
key_add_user_session key_read key_request key_list io_uring io_uring_register bpf perf userfaultfd modules kexec swap_on
restart set_clock host_name kernel_log accounting quotas ports foreign_calls type_ahead capabilities become_root
file_capabilities change_owner loopback loopback6 mapped_loopback zero_address datagram own_address gateway_alias metadata
abstract_socket path_socket system_bus agent_socket vsock crypto_socket packet_socket raw_socket bluetooth_socket key_socket
can_socket tipc_socket xdp_socket nftables_socket shared_memory semaphores message_queue posix_queue left_in_memory
left_in_tmp service_on_host unlimited_device_folder daemon stubborn nameless stopped holding_output tracer escapes
""")
#: What is carried out in manifests, plugins and commands of the build, too.
DIRECT_IN_BUILDS = words("""
write_outside into_world_writable read_private read_shadow read_users read_other_workspaces write_database write_toolchain
write_observer write_repository read_environments host_processes through_root_links inherited_descriptors
raise_limit unshare_user clone_user mount_tmpfs remount_usr new_mounts make_device open_devices key_add key_read io_uring bpf
perf userfaultfd capabilities become_root loopback abstract_socket path_socket agent_socket vsock packet_socket shared_memory
left_in_memory left_in_tmp daemon stubborn nameless
""")
LASTING_IN_TESTS = words("""
setuid_file setgid_file setuid_calls setuid_own_products sticky_folder setgid_folder setuid_top open_to_all setuid_late fifos sockets
links_handed_back links_in_crashes private_as_results fifo_as_results endless_profile garbage_profiles sparse_results
many_results results_without_rights quick_manifests own_database patch_objects patch_library build_database edited_plan
module_cache plugin_binary edit_source plant_source plant_test plant_manifest plant_settings plant_resolved plant_ignored
plant_repository source_as_link honest_as_link tests_as_folder mirrors registries git_settings shell_settings clang_settings
settings_as_links locks_held read_only_folder folder_without_rights deep_folders shut_here shut_home shut_temporary
shut_everything shut_scratch immutable strange_names looping_links links_to_remove swapped_links many_files patch_objects_later
quick_manifests_later
""")
SILENT_IN_TESTS = words("links_then_crash crash_links_then_crash kill_everybody kill_first kill_parents")
HANGING_IN_TESTS = words("stop_everybody trace_first")
LASTING_IN_BUILDS = words("""
setuid_file setuid_calls setgid_folder sticky_folder quick_manifests own_database quick_manifests_later plant_source plant_manifest plant_settings mirrors git_settings read_only_folder
folder_without_rights deep_folders shut_here shut_home shut_temporary shut_everything shut_scratch shut_scratch_later
links_to_remove locks_held source_as_link settings_as_links
""")
#: What was built of a branch serves that branch, so that only others must not meet it.
LASTING_FOR_OTHERS = words("patch_objects patch_objects_later patch_library edited_plan build_database module_cache plugin_binary")
BOMBS = words("fill_memory_folders much_output long_line many_warnings fake_results")
INSIDE = words("""
many_failures long_failure hostile_failure endless_sockets passed_descriptors closed_sockets shut_sockets half_record crash exit
""")
SHORT = words("""
test-write_outside test-read_private test-read_environments test-loopback test-abstract_socket test-path_socket
test-shared_memory test-key_add test-key_read test-io_uring test-vsock test-bpf test-mount_tmpfs test-unshare_user
test-capabilities test-left_in_tmp test-daemon test-nameless test-posix_queue test-new_mounts test-make_device
together-test
""")


def direct():
    for place, names in (("test", DIRECT), ("manifest", DIRECT_IN_BUILDS), ("plugin", DIRECT_IN_BUILDS), ("command", DIRECT_IN_BUILDS)):
        for name in names:
            yield Attempt(f"{place}-{name}", [(place, name)], joins=True)


def lasting():
    for name in LASTING_IN_TESTS:
        yield Attempt(f"lasting-test-{name}", [("test", name)], follows=True)
    together = "setuid_file sticky_folder fifos quick_manifests edit_source plant_settings links_handed_back shut_everything"
    yield Attempt("together-test", [("test", name) for name in words(together)], follows=True, joins=True)
    for name in SILENT_IN_TESTS:
        yield Attempt(f"lasting-test-{name}", [("test", name)], follows=True, silent=True)
    for name in HANGING_IN_TESTS:
        yield Attempt(f"lasting-test-{name}", [("test", name)], how="watch", bot="tests: {timeout: 10s, silence: 10s}\n", follows=True, silent=True)
    for place in ("manifest", "plugin"):
        for name in LASTING_IN_BUILDS:
            # What a manifest says is shown only when it could be read.
            waits = dict(how="watch", bot="tests: {step: 60s}\n") if name == "locks_held" else {}
            yield Attempt(f"lasting-{place}-{name}", [(place, name)], follows=True, silent=name.startswith("shut_"), **waits)
        for name in LASTING_FOR_OTHERS:
            yield Attempt(f"branch-{place}-{name}", [(place, name)], branch=f"evil-{place}-{name}", follows=True)
    for place, name in (("test", "quick_manifests"), ("test", "edit_source"), ("test", "plant_source"), ("manifest", "patch_objects"),
                        ("manifest", "patch_objects_later"), ("manifest", "quick_manifests"), ("plugin", "shut_scratch")):
        yield Attempt(f"detached-{place}-{name}", [(place, name)], how="detached", follows=True, silent=name.startswith("shut_"))


def amounts():
    for name in BOMBS:
        yield Attempt(f"bomb-{name}", [("test", name)], silent=name in ("much_output", "long_line"))
    for name in INSIDE:
        yield Attempt(f"inside-{name}", [("inside", name)], follows=name not in ("many_failures", "long_failure"))
    letters = "a" * 40
    slow = f"import XCTest\nfinal class SlowTests: XCTestCase {{ func test_{letters}b() {{}} }}\n"
    for key, pattern in (("filter", "(a+)+$"), ("skip", "(a|aa)+$"), ("skip-nested", "((a*)*)*$")):
        text = f"tests: {{{key.partition('-')[0]}: [\"{pattern}\"]}}\n"
        yield Attempt(f"pattern-{key}", files={".martlet.yml": text, "Tests/SiegeTests/Slow.swift": slow}, silent=True, limit=90)
    yield Attempt("amount-subject", make=lambda ground: ground.commit({}, message="subject " * (4 << 20)), silent=True)
    yield Attempt("amount-author", make=long_author, silent=True)
    yield Attempt("amount-settings", files={".martlet.yml": "tests: {skip: [" + "\"x\", " * 2_000_000 + "\"x\"]}\n"}, silent=True)
    yield Attempt("amount-aliases", files={".martlet.yml": "a: &a [" + "x, " * 9 + "x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [" + f"*{chr(97 + n)}, " * 9 + f"*{chr(97 + n)}]\n" for n in range(9))}, silent=True)
    yield Attempt("amount-nesting", files={".martlet.yml": "tests: " + "[" * 100_000 + "]" * 100_000 + "\n"}, silent=True)
    yield Attempt("amount-names", files={"Tests/SiegeTests/Long.swift": "import XCTest\nfinal class LongTests: XCTestCase {\n" + "".join(
        f"  func test_{n}_{'n' * 900}() {{}}\n" for n in range(200)) + "}\n"}, silent=True)
    yield Attempt("amount-diagnostics", files={"Sources/Siege/Many.swift": "".join(f"#warning(\"{'w' * 900} {n}\")\n" for n in range(3_000))}, silent=True)


def long_author(ground):
    tree = ground.git("rev-parse", f"{ground.base}^{{tree}}")
    text = f"tree {tree}\nparent {ground.base}\nauthor {'A' * (1 << 20)} <a@b> 99999999999999 +9999\ncommitter x <> -1 -9999\n\n<script>\n"
    commit = ground.git("hash-object", "-t", "commit", "--literally", "-w", "--stdin", text=text)
    ground.point(commit)
    return commit


def settings():
    """A settings file of an untrusted commit may only tighten."""
    for name, text in {
        "sandbox": "sandbox: {mode: off}\n", "sandbox-network": "sandbox: {network: true}\n", "write": "sandbox: {write: [/]}\n",
        "toolchain": "toolchain: /tmp\n", "environment": "environment: {LD_PRELOAD: /tmp/x.so}\n", "secrets": "secrets: [SIEGE_SECRET]\n",
        "triggers": "triggers: [{before: Trigger.sh}]\n", "arguments": "arguments: [-Xlinker, /etc/passwd]\n", "merge": "<<: {sandbox: off}\n",
        "tag": "sandbox: !!python/object/apply:os.system [\"touch /tmp/x\"]\n", "bytes": "\x00\x01tests: \xff\n", "repository": "repository: /\n",
    }.items():
        yield Attempt(f"settings-{name}", [("test", "write_outside"), ("test", "loopback"), ("test", "read_private")], files={
            ".martlet.yml": text}, silent=True, how="watch", bot="")


def has_leaked(ground, result):
    return ["a script of the package had secrets"] if "SIEGE HAS SECRET" in result.log() else []


def is_tampered(ground, result):
    faults = []
    for folder, _, names in os.walk(f"{result.folder}/archive") if result.folder else ():
        faults += [f"archive/{name} is what tests made of it" for name in names if b"tampered" in read(f"{folder}/{name}")]
    return faults + (["a script of the package was run as tests left it"] if "SIEGE TAMPERED" in result.log() else [])


def triggers():
    before, after = "triggers: [{before: Trigger.sh}]\n", "triggers: [{after: Trigger.sh}]\n"
    for name in words("write_outside read_private secret_in_environment secret_file environment_of_all read_other_workspaces daemon "
                      "nameless key_read capabilities mount_tmpfs overwrite_kept write_database become_root io_uring"):
        for when, bot in (("before", before), ("after", after)):
            yield Attempt(f"trigger-{when}-{name}", [("trigger", name)], bot=bot + "secrets: [SIEGE_SECRET]\n", how="watch", joins=True)
    yield Attempt("trigger-as-tests-left-it", [("test", "edit_trigger")], check=is_tampered, how="watch",
                  bot=after + "secrets: [SIEGE_SECRET]\nsecret-branches: [main]\n")
    yield Attempt("trigger-as-plugin-left-it", [("plugin", "edit_trigger")], check=is_tampered, how="watch",
                  bot=after + "secrets: [SIEGE_SECRET]\nsecret-branches: [main]\n")
    yield Attempt("archive-of-edited-source", [("test", "edit_source_of_app")], check=is_tampered, how="watch", bot=ARCHIVE)
    yield Attempt("archive-of-planted-manifest", [("test", "plant_manifest")], check=is_tampered, how="watch", bot=ARCHIVE, follows=True)
    yield Attempt("trigger-setuid", [("trigger", "setuid_file")], bot=before, how="watch", follows=True)
    yield Attempt("trigger-shut", [("trigger", "shut_here")], bot=before, how="watch", follows=True)
    yield Attempt("trigger-plants", [("trigger", "plant_source")], bot=after, how="watch", follows=True)


def kills():
    for place, name in (("inside", "sleeping"), ("test", "pause"), ("plugin", "pause"), ("manifest", "pause"), ("test", "pause_after_setuid"),
                        ("test", "pause_after_shut"), ("test", "pause_after_daemon")):
        yield Attempt(f"killed-{place}-{name}", [(place, name)], follows=True, kills=True)
    yield Attempt("killed-watch-test-pause", [("test", "pause")], how="watch", bot="", follows=True, kills=True)


def closed_home(ground, result):
    return [f"others can reach {name} in the home" for name in ground.is_open_to_others()]


def others():
    yield Attempt("home-is-closed", check=closed_home, silent=True)
    yield Attempt("home-is-closed-watch", check=closed_home, silent=True, how="watch", bot="")


def everything():
    from siege_mutants import mutants
    from siege_trees import trees
    found = [*direct(), *lasting(), *amounts(), *settings(), *triggers(), *trees(), *kills(), *mutants(), *others()]
    for attempt in found:
        attempt.short = attempt.name in SHORT
    assert len({attempt.name for attempt in found}) == len(found)
    return found
