"""A browser that 'script/check-pages' and 'script/check-serve' drive: Debian's chromium by its chromedriver."""
import contextlib, json, os, shutil, subprocess, tempfile, time, urllib.error, urllib.request

PORT = int(os.environ.get("WEBDRIVER_PORT", "19517"))


@contextlib.contextmanager
def driver():
    """Runs chromedriver as long as browsers are wanted."""
    process = subprocess.Popen(["chromedriver", f"--port={PORT}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{PORT}/status", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


class Browser:
    """A session of chromedriver (https://www.w3.org/TR/webdriver2/)."""

    def __init__(self, *, width=1280, height=900, dark=False, script=True, text=16):
        self.profile = tempfile.mkdtemp()
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                     "--disable-component-update", "--disable-sync", "--hide-scrollbars", f"--user-data-dir={self.profile}",
                     f"--window-size={width},{height}", "--allow-file-access-from-files"]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        if text != 16:
            arguments.append(f"--blink-settings=defaultFontSize={text}")
        options = {"args": arguments}
        if not script:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = "/session/" + answer["sessionId"]
        # A headless window is wider than it is asked to be; the emulation is exact.
        self.resize(width, height)

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{PORT}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            return json.load(urllib.request.urlopen(request, timeout=60))["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:400])

    def command(self, name, parameters):
        self.call("POST", f"{self.session}/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, address):
        # The same page with another fragment would not be loaded again.
        self.call("POST", f"{self.session}/url", {"url": "about:blank"})
        self.call("POST", f"{self.session}/url", {"url": address})

    def resize(self, width, height=900):
        self.command("Emulation.setDeviceMetricsOverride",
                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def run_on(self, address, script):
        self.open(address)
        return self.run(script)

    def run(self, script, *arguments):
        return self.call("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.call("POST", f"{self.session}/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def console(self):
        return [entry["message"] for entry in self.call("POST", f"{self.session}/se/log", {"type": "browser"})]

    def end(self):
        self.call("DELETE", self.session)
        shutil.rmtree(self.profile, ignore_errors=True)
