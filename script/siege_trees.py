"""Commits of script/siege whose objects no honest git makes."""
from siege_attempts import Attempt


def raw_tree(ground, entries):
    """A tree as it is given: (mode, name, object), names as bytes and nothing sorted or refused."""
    data = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(object) for mode, name, object in entries)
    return ground.git("hash-object", "-t", "tree", "--literally", "-w", "--stdin", text=data)


def base_entries(ground):
    lines = ground.git("ls-tree", ground.base).splitlines()
    return [(mode.lstrip("0"), name.encode(), object) for line in lines for head, name in [line.split("\t")] for mode, _, object in [head.split()]]


def blob(ground, text="siege\n"):
    return ground.git("hash-object", "-w", "--stdin", text=text)


def folder(ground, name=b"by-tree", text="siege\n", mode="100644"):
    return raw_tree(ground, [(mode, name, blob(ground, text))])


def added(*entries, replaces=()):
    """Makes a commit of the base's tree with entries as they are, each (mode, name, object or a function that makes it)."""
    def make(ground):
        ready = [(mode, name, object(ground) if callable(object) else object) for mode, name, object in entries]
        kept = [entry for entry in base_entries(ground) if entry[1] not in replaces]
        return ground.commit_tree(raw_tree(ground, kept + ready))
    return make


def link(target):
    return lambda ground: blob(ground, target.format(outside=ground.outside, home=ground.home))


def inside(path, mode, text):
    """The base with one entry at a path, put there by an index."""
    def make(ground):
        index = {"GIT_INDEX_FILE": ground.work + "/index"}
        ground.git("read-tree", ground.base, environment=index)
        ground.git("rm", "-r", "--quiet", "--cached", "--ignore-unmatch", path, environment=index)
        target = text.format(outside=ground.outside, home=ground.home)
        ground.git("update-index", "--add", "--cacheinfo", f"{mode},{blob(ground, target)},{path}", environment=index)
        return ground.commit_tree(ground.git("write-tree", environment=index))
    return make


def submodule(url, path="sub", name="sub", link_first=False):
    def make(ground):
        words = f"[submodule \"{name}\"]\n\tpath = {path}\n\turl = {url.format(outside=ground.outside)}\n"
        index = {"GIT_INDEX_FILE": ground.work + "/index"}
        ground.git("read-tree", ground.base, environment=index)
        ground.git("update-index", "--add", "--cacheinfo", f"100644,{blob(ground, words)},.gitmodules", environment=index)
        if ".." not in path and not link_first:
            ground.git("update-index", "--add", "--cacheinfo", f"160000,{ground.private_commit},{path}", environment=index)
            return ground.commit_tree(ground.git("write-tree", environment=index))
        top = ground.git("write-tree", environment=index)
        lines = ground.git("ls-tree", top).splitlines()
        entries = [(mode.lstrip("0"), each.encode(), object) for line in lines for head, each in [line.split("\t")] for mode, _, object in [head.split()]]
        if link_first:
            entries += [("120000", b"sub", blob(ground, ground.outside + "/open")), ("40000", b"sub", raw_tree(ground, [("160000", b"inner", ground.private_commit)]))]
        else:
            entries += [("160000", path.encode(), ground.private_commit)]
        return ground.commit_tree(raw_tree(ground, entries))
    return make


def nested(depth):
    def make(ground):
        tree = folder(ground)
        for _ in range(depth):
            tree = raw_tree(ground, [("40000", b"deep", tree)])
        return ground.commit_tree(raw_tree(ground, base_entries(ground) + [("40000", b"zdeep", tree)]))
    return make


def wide(count):
    def make(ground):
        one = blob(ground)
        tree = raw_tree(ground, [("100644", b"%08d" % n, one) for n in range(count)])
        return ground.commit_tree(raw_tree(ground, base_entries(ground) + [("40000", b"zwide", tree)]))
    return make


def after_link(ground):
    """A link to the outside, integrated, and then a folder of its name with a file."""
    first = added(("120000", b"zlink", link("{outside}/open")))(ground)
    ground.integrate()
    return ground.commit_tree(raw_tree(ground, base_entries(ground) + [("40000", b"zlink", folder(ground))]), first)


def after_folder(ground):
    first = added(("40000", b"zlink", folder))(ground)
    ground.integrate()
    return ground.commit_tree(raw_tree(ground, base_entries(ground) + [("120000", b"zlink", blob(ground, ground.outside))]), first)


def trees():
    plain = {
        "setuid-entry": added(("104755", b"ztool", blob)), "setgid-entry": added(("102755", b"ztool", blob)),
        "all-bits-entry": added(("107777", b"ztool", blob)), "setuid-folder": added(("44755", b"zfolder", folder)),
        "fifo-entry": added(("10644", b"zfifo", blob)), "device-entry": added(("60644", b"zdevice", blob)),
        "no-mode": added(("0", b"znone", blob)), "unknown-mode": added(("177777", b"zmode", blob)),
        "dot-dot": added(("40000", b"..", folder)), "dot": added(("40000", b".", folder)), "dot-dot-file": added(("100644", b"..", blob)),
        "slash": added(("100644", b"../../by-tree", blob)), "slash-inside": added(("100644", b"Sources/../../../by-tree", blob)),
        "absolute": added(("100644", b"/tmp/by-tree", blob)), "backslash": added(("100644", b"..\\by-tree", blob)),
        "empty-name": added(("100644", b"", blob)), "git-folder": added(("40000", b".git", lambda g: folder(g, b"config", "[core]\n\tfsmonitor = touch x\n"))),
        "git-folder-in-capitals": added(("40000", b".GIT", folder)), "git-folder-short": added(("40000", b"git~1", folder)),
        "git-folder-invisible": added(("40000", b".g\xe2\x80\x8cit", folder)), "git-file": added(("100644", b".git", lambda g: blob(g, f"gitdir: {g.outside}/private.git\n"))),
        "twice": added(("120000", b"zlink", link("{outside}/open")), ("40000", b"zlink", folder)),
        "twice-turned": added(("40000", b"zlink", folder), ("120000", b"zlink", link("{outside}/open"))),
        "new-line": added(("100644", b"z\nnew", blob)), "not-utf-8": added(("100644", b"z\xff\xfe", blob)), "escape": added(("100644", b"z\x1b[31m", blob)),
        "long-name": added(("100644", b"z" * 255, blob)), "too-long-name": added(("100644", b"z" * 5000, blob)),
        "markup": added(("100644", b"z<script>alert(1)<", blob)), "option": added(("100644", b"--help", blob)),
        "deep": nested(1500), "wide": wide(20_000), "missing-object": added(("100644", b"zmissing", "1" * 40)),
        "blob-as-tree": added(("40000", b"zblob", blob)), "tree-as-blob": added(("100644", b"ztree", folder)),
        "manifest-as-link": inside("Package.swift", "120000", "{outside}/private"),
        "settings-as-link": inside(".martlet.yml", "120000", "{outside}/private"),
        "source-as-link": inside("Sources/Siege/Linked.swift", "120000", "{outside}/private"),
        "source-folder-as-link": inside("Sources/Siege/Linked", "120000", "{outside}"),
        "test-as-link": inside("Tests/SiegeTests/HonestTests.swift", "120000", "{outside}/private"),
        "resolved-as-link": inside("Package.resolved", "120000", "{outside}/private"),
        "trigger-as-link": inside("Trigger.sh", "120000", "{outside}/private"),
        "link-to-database": inside("Sources/Siege/Base.swift", "120000", "{home}/martlet.sqlite"),
        "link-up": inside("Sources/Siege/Up", "120000", "../.."), "attributes": inside(
            ".gitattributes", "100644", "* filter=siege ident text eol=crlf working-tree-encoding=UTF-16 diff=siege merge=siege export-subst\n"),
        "submodule-path": submodule("{outside}/private.git"), "submodule-relative": submodule("../outside/private.git"),
        "submodule-file": submodule("file://{outside}/private.git"), "submodule-host": submodule("file://localhost{outside}/private.git"),
        "submodule-ext": submodule("ext::sh -c touch% {outside}/open/by-ext"), "submodule-option": submodule("--upload-pack=touch {outside}/open/by-option"),
        "submodule-ssh": submodule("ssh://-oProxyCommand=touch {outside}/open/by-ssh/x"), "submodule-up": submodule("../outside/private.git", path="../up"),
        "submodule-git-name": submodule("../outside/private.git", name="../../../up"), "submodule-link": submodule("{outside}/private.git", path="sub/inner", link_first=True),
        "submodule-home": submodule("~/private.git"), "submodule-new-line": submodule("{outside}/private.git\\n"),
        "submodule-alone": added(("160000", b"zsub", lambda ground: ground.private_commit)),
        "link-then-folder": after_link, "folder-then-link": after_folder,
        "removing-by-link": added(("120000", b"Sources", link("{outside}/open")), replaces=(b"Sources",)),
    }
    for name, make in plain.items():
        yield Attempt(f"tree-{name}", make=make, follows=True, silent=True, refusable=True)
