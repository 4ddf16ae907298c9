"""Chromium, driven over its debugging pipe: no package, no port. Only what the tests need."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe",
]


class Chrome:
    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="assay-chrome-")
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()

        def pipes_at_3_and_4():
            os.dup2(to_child, 198)
            os.dup2(from_child, 199)
            os.dup2(198, 3)
            os.dup2(199, 4)

        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            raise FileNotFoundError("expected chromium in PATH, found none: apt-get install chromium")
        self.process = subprocess.Popen(
            [program, *FLAGS, "--user-data-dir=" + self.profile, "about:blank"], preexec_fn=pipes_at_3_and_4,
            pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.pending = b""
        self.next_id = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, session=None, **params):
        self.next_id += 1
        message = {"id": self.next_id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self._read()
            if answer.get("id") == self.next_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _read(self):
        while b"\0" not in self.pending:
            piece = os.read(self.read_end, 1 << 20)
            if not piece:
                raise EOFError("chromium ended")
            self.pending += piece
        line, self.pending = self.pending.split(b"\0", 1)
        return json.loads(line)

    def page(self, **view):
        return Page(self, **view)


class Page:
    """One tab of its own size and color scheme."""

    def __init__(self, chrome, width=1200, height=900, mobile=False, scheme="light", script=True):
        self.chrome = chrome
        target = chrome.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = chrome.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Log.enable")
        self.call("Network.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if mobile else 1,
                  mobile=mobile)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        if not script:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def call(self, method, **params):
        return self.chrome.call(method, self.session, **params)

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("document.readyState === 'complete'")

    def eval(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, seconds=20):
        end = time.monotonic() + seconds
        while not self.eval(expression):
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.02)

    def click(self, selector, index=0):
        """A real click in the middle of an element, as a finger or mouse would."""
        place = self.eval(f"""(() => {{
            const one = document.querySelectorAll({json.dumps(selector)})[{index}];
            if (!one) return null;
            one.scrollIntoView({{block: "center"}});
            const box = one.getClientRects()[0];
            return box && [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        if not place:
            raise LookupError(f"nothing to click at {selector} [{index}]")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
        self.eval("new Promise((done) => setTimeout(done, 30))")

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, text="\r" if key == "Enter" else "")

    def screenshot(self, file, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def pdf(self, file):
        data = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))

    def messages(self):
        """What the console, the log and exceptions said, of this page."""
        said = []
        self.eval("1")
        for event in self.chrome.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Runtime.exceptionThrown":
                said.append("exception: " + json.dumps(event["params"]["exceptionDetails"])[:500])
            elif event["method"] == "Log.entryAdded":
                said.append("log: " + event["params"]["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                said.append("console: " + json.dumps(event["params"]["args"])[:500])
        return said

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.chrome.events
                if event.get("sessionId") == self.session and event["method"] == "Network.requestWillBeSent"]
