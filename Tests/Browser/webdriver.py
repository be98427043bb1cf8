"""A small WebDriver client over urllib: one Chromium through Debian's chromedriver."""
import base64, json, os, socket, subprocess, time, urllib.error, urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009", "Space": " ", "Escape": "\ue00c"}
# Requests to loopback never use a proxy from the environment.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Failure(Exception):
    pass


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait(what, seconds, probe):
    """Returns the first true value of `probe`, which is called every 50 ms for at most `seconds`."""
    end = time.monotonic() + seconds
    while True:
        value = probe()
        if value:
            return value
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds} s")
        time.sleep(0.05)


class Driver:
    """A chromedriver process, which several browsers can share."""

    def __init__(self, log):
        self.port = free_port()
        self.process = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=log, stderr=log, start_new_session=True)
        wait("chromedriver", 30, self.is_ready)

    def is_ready(self):
        try:
            return self.send("GET", "/status")["ready"]
        except (urllib.error.URLError, ConnectionError):
            return False

    def send(self, method, path, body=None):
        data = None if body is None and method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with OPENER.open(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Failure(f"{method} {path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def close(self):
        self.process.terminate()
        self.process.wait(30)


class Browser:
    """A separate browser with its own cookies."""

    def __init__(self, driver, script=True):
        self.driver = driver
        # Chromium's sandbox needs a user that is not root.
        arguments = ["--headless=new", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage", "--no-proxy-server"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"args": arguments}
        if not script:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = driver.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.path = f"/session/{session['sessionId']}"
        self.version = session["capabilities"]["browserVersion"]
        self.cdp("Network.enable")

    def send(self, method, path, body=None):
        return self.driver.send(method, self.path + path, body)

    def cdp(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def look(self, width, language="en", scheme="light"):
        """Sets the width, language and colour scheme of the reader's machine."""
        self.width = width
        self.resize(900)
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.cdp("Network.setExtraHTTPHeaders", headers={"Accept-Language": language})

    def resize(self, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=self.width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, url):
        self.send("POST", "/url", {"url": url})

    @property
    def url(self):
        return self.send("GET", "/url")

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        return self.send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def find(self, css):
        return self.send("POST", "/element", {"using": "css selector", "value": css})[ELEMENT]

    def text(self, css="main"):
        return self.send("GET", f"/element/{self.find(css)}/text")

    def type(self, css, text, clears=False):
        element = self.find(css)
        if clears:
            self.send("POST", f"/element/{element}/clear")
        self.send("POST", f"/element/{element}/value", {"text": text})

    def click(self, css):
        self.send("POST", f"/element/{self.find(css)}/click")

    def press(self, *names):
        """Presses several keys together, in the given order."""
        keys = [KEYS.get(name, name) for name in names]
        actions = [{"type": "keyDown", "value": key} for key in keys] + [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def write(self, text):
        """Types a text into the focused element."""
        actions = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def console(self):
        """Returns the console messages since the last call."""
        return [entry for entry in self.send("POST", "/se/log", {"type": "browser"}) if entry["level"] in ("SEVERE", "WARNING")]

    def picture(self, path):
        """Writes a picture of the whole page. The window is made as high as the page, because Chromium shifts pictures of right-to-left
        pages if they extend beyond the window."""
        self.resize(max(900, min(self.cdp("Page.getLayoutMetrics")["cssContentSize"]["height"], 6000)))
        data = self.cdp("Page.captureScreenshot", format="png")["data"]
        self.resize(900)
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def print(self, path):
        data = base64.b64decode(self.cdp("Page.printToPDF", printBackground=False)["data"])
        with open(path, "wb") as file:
            file.write(data)
        return data

    def close(self):
        self.send("DELETE", "")
