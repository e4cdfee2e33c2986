"""How tests ended, by library and name, as 'script/compare-verdicts' and 'script/check-build-systems' compare it.

Classes of the same name in two modules are one here, with the graver verdict: the console of XCTest knows no modules. Names
of Swift Testing are without their punctuation: its xunit file puts dots where the identifiers have slashes.
"""
import re
import xml.etree.ElementTree as xml

GRAVITY = ["failed", "skipped", "passed"]
LITERAL = re.compile(rb"Test Case '([^']+)' (passed|failed|skipped) \(")


def note(verdicts, library, name, state):
    key = (library, re.sub(r"[/.]", ".", name))
    state = {"expected-failure": "passed", "crashed": "failed", "timed-out": "failed"}.get(state, state)
    gravity = lambda word: GRAVITY.index(word) if word in GRAVITY else -1
    if key not in verdicts or gravity(state) < gravity(verdicts[key]):
        verdicts[key] = state


def of_document(document):
    """Those of an integration.json."""
    verdicts = {}
    for case in document["tests"]["cases"]:
        name = case["id"].split(".", 1)[1] if case["library"] == "XCTest" else case["id"]
        note(verdicts, case["library"], name, case["state"])
    return verdicts


def of_literal(output, reports):
    """Those of 'swift test': XCTest's from its console, Swift Testing's from its xunit files, one behind the other."""
    verdicts = {}
    for name, state in LITERAL.findall(output):
        note(verdicts, "XCTest", name.decode(), state.decode())
    for report in re.split(rb"(?=<\?xml )", reports):
        for case in xml.fromstring(report).iter("testcase") if report.strip() else []:
            children = {child.tag for child in case}
            state = "failed" if "failure" in children else "skipped" if "skipped" in children else "passed"
            note(verdicts, "Swift Testing", case.get("classname") + "." + case.get("name"), state)
    return verdicts
