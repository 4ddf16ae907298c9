"""The report in a real browser: what it loads, what it shows without a script, the way from the rating down to raw
output, and that nothing a node says is ever more than text."""
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from chrome import Chrome
from where import built

SAMPLE = built("tests/sample-report")
PHONE = {"width": 360, "height": 740, "mobile": True}
BIDI = "[\u200b-\u200f\u2028-\u202e\u2066-\u2069\u001b\u0007]"


def route(page, *parts):
    page.eval("location.hash = '#/' + %r.map(encodeURIComponent).join('/')" % list(parts))
    page.eval("new Promise((done) => setTimeout(done, 50))")


def text(page, selector):
    return page.eval(f"(document.querySelector({selector!r}) || {{}}).textContent")


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="assay-browser-")
        cls.reports = {}
        for kind in ("plain", "sound", "hostile", "many"):
            run = os.path.join(cls.folder.name, kind)
            subprocess.run([SAMPLE, run, kind], check=True, stdout=subprocess.DEVNULL)
            cls.reports[kind] = os.path.join(run, "report.html")
        cls.chrome = Chrome()

    @classmethod
    def tearDownClass(cls):
        cls.chrome.__exit__()
        cls.folder.cleanup()

    def open(self, kind, **view):
        page = self.chrome.page(**view)
        page.open(self.reports[kind])
        return page

    def assertSilent(self, page):
        """Nothing was refused by the policy, nothing failed, nothing was loaded but the file itself."""
        self.assertEqual(page.messages(), [])
        self.assertEqual([url for url in page.requests() if not url.startswith("file://")], [])
        self.assertLessEqual(len(page.requests()), 1)

    def assertNoSideways(self, page):
        self.assertLessEqual(page.eval("document.documentElement.scrollWidth"), page.eval("innerWidth"))

    def test_from_the_rating_down_to_raw_output(self):
        page = self.open("plain")
        self.assertIn("Not enough seen for a tier", text(page, "#rating"))
        page.click("#criteria a[href='#/criterion/security']")
        self.assertEqual(text(page, "#detail h2"), "Security")
        page.click("#detail a[href='#/check/security.kernel-running-is-installed']")
        self.assertIn("fails on 2", text(page, "#detail"))
        page.click("#detail .links a")
        self.assertEqual(text(page, "#detail h2"), "n2: The newest installed kernel is the one that runs")
        self.assertIn("kernel.running", text(page, "#detail .rows"))
        page.click("#detail details.raw summary")
        self.assertTrue(page.eval("document.querySelector('#detail details.raw').open"))
        self.assertIn("== uname\nLinux 5.15.0-97-generic x86_64\n", text(page, "#detail pre"))
        page.click("#detail .crumbs a[href^='#/node/']")
        self.assertEqual(text(page, "#detail h2"), "n2")
        self.assertSilent(page)

    def test_long_raw_output_is_cut_and_says_where_the_whole_is(self):
        page = self.open("plain")
        route(page, "verdict", "networking.acs-off-between-gpu-and-nic", "cluster/acme/node/n1/pci/0000:1a:00.0")
        self.assertIn("bytes left out]", text(page, "#detail pre"))
        self.assertRegex(text(page, "#detail details.raw"), r"of which a part is here; whole: assay artifact plain [0-9a-f]{64}")

    def test_back_returns_to_where_one_was(self):
        page = self.open("plain")
        page.click("#checks a[href='#/check/storage.home-shared']")
        self.assertTrue(page.eval("document.getElementById('overview').hidden"))
        page.eval("history.back()")
        page.wait("!document.getElementById('overview').hidden && scrollY > 300")
        self.assertSilent(page)

    def test_broken_links_show_something(self):
        page = self.open("plain")
        for hash in ("#/check/none", "#/node/none", "#/verdict/a/b", "#/verdict/security.ipmi-closed/x", "#/%E0%A4%A", "#/what/ever",
                     "#/criterion/none", "#/check/__proto__", "#/constructor/x"):
            page.eval(f"location.hash = {hash!r}")
            page.eval("new Promise((done) => setTimeout(done, 30))")
            self.assertGreater(page.eval("document.querySelector('main:not([hidden])').innerText.length"), 10, hash)
        self.assertSilent(page)

    def test_reads_without_a_script(self):
        page = self.open("plain", script=False)
        shown = page.eval("document.body.innerText")
        for words in ("n[2-3]: kernel 5.15.0-113-generic is installed but 5.15.0-97-generic is running",
                      "Not enough seen for a tier", "Connection timed out", "Networking", "need JavaScript"):
            self.assertIn(words, shown)
        self.assertNotIn("Nodes and checks", shown)

    def test_a_sound_cluster_is_quiet(self):
        page = self.open("sound")
        self.assertIn("Nothing fell short.", text(page, "#matters"))
        self.assertIn("Gold", text(page, "#rating"))
        self.assertSilent(page)

    def test_nothing_hostile_is_more_than_text(self):
        page = self.open("hostile")
        check, node = "security.kernel-running-is-installed", page.eval(
            "JSON.parse(document.getElementById('data').textContent).hosts[1]")
        routes = [("criterion", "security"), ("check", check), ("node", node), ("verdict", check, node)]
        for parts in [None, *routes]:
            if parts:
                route(page, *parts)
            self.assertNotIn("owned", page.eval("document.title.replace(/\\S*document.title='owned'\\S*/g, '')"))
            self.assertEqual(page.eval("document.querySelectorAll('img, iframe, object, embed, base, form').length"), 0)
            self.assertEqual(page.eval("document.scripts.length"), 2)
            self.assertNotRegex(page.eval("document.body.innerText"), BIDI)
            self.assertNotRegex(page.eval("document.title"), BIDI)
            self.assertEqual(page.eval("[...document.links].filter((a) => !/^(file|https):/.test(a.protocol)).length"), 0)
        raw = text(page, "#detail pre")
        self.assertIn("<script>document.title='owned'</script>", raw)
        self.assertIn("\\x1b[31mred\\x1b[0m\\u{202e}gnp.exe", raw)
        self.assertSilent(page)

    def test_no_scrolling_sideways_on_a_phone(self):
        for kind in ("plain", "hostile", "many"):
            page = self.open(kind, **PHONE)
            node = page.eval("JSON.parse(document.getElementById('data').textContent).hosts[1]")
            check = "security.kernel-running-is-installed"
            self.assertNoSideways(page)
            for parts in (("criterion", "security"), ("check", check), ("node", node), ("verdict", check, node)):
                route(page, *parts)
                page.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
                self.assertNoSideways(page)

    def test_the_map_by_keyboard_and_by_mouse(self):
        page = self.open("plain")
        page.eval("document.querySelector('#map canvas').focus()")
        page.press("ArrowDown")
        self.assertIn("n1, ACS is off between GPU and NIC: fails the switch above", text(page, ".map-says"))
        for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown"):
            page.press(key)
        self.assertIn("n2, Transparent huge pages", text(page, ".map-says"))
        page.press("Enter")
        page.wait("!document.getElementById('detail').hidden")
        self.assertEqual(text(page, "#detail h2"), "n2: Transparent huge pages are left to applications")
        self.assertSilent(page)

    def test_the_checks_can_be_narrowed(self):
        page = self.open("plain")
        rows = "document.querySelectorAll('#checks tr[data-check]:not([hidden])').length"
        self.assertEqual(page.eval(rows), 9)
        page.click("#checks .controls button")
        self.assertEqual(page.eval(rows), 3)
        page.eval("(() => { const f = document.querySelector('#checks input'); f.value = 'gpu row'; f.dispatchEvent(new Event('input')); })()")
        self.assertEqual(page.eval(rows), 1)

    def test_thousands_of_nodes(self):
        page = self.chrome.page()
        begun = time.monotonic()
        page.open(self.reports["many"])
        took = time.monotonic() - begun
        print(f"4,000 nodes, {os.path.getsize(self.reports['many']) / 1e6:.1f} MB: open and drawn in {took:.2f} s")
        self.assertLess(took, 10)
        self.assertLess(int(re.search(r"Map of (\d+) columns", page.eval("document.querySelector('#map canvas').ariaLabel"))[1]), 10)
        route(page, "check", "reliability.gpu-row-remap-clean")
        self.assertIn("Show", text(page, "#detail .controls button"))
        self.assertLess(page.eval("document.querySelectorAll('#detail li').length"), 1500)
        self.assertSilent(page)

    def test_readable_contrast_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            page = self.open("plain", scheme=scheme)
            colors = page.eval("""(() => { const style = getComputedStyle(document.documentElement);
                return Object.fromEntries(["paper", "raised", "ink", "soft", "link", "fail", "warn", "pass", "unknown"]
                  .map((name) => [name, style.getPropertyValue("--" + name).trim()])); })()""")
            paper = luminance(colors["paper"])
            self.assertEqual(paper < 0.1, scheme == "dark")
            for name, color in colors.items():
                if name not in ("paper", "raised"):
                    self.assertGreater(contrast(paper, luminance(color)), 4.5, f"{name} in {scheme}")

    def test_prints(self):
        page = self.open("plain", scheme="dark")
        pdf = os.path.join(self.folder.name, "report.pdf")
        page.pdf(pdf)
        with open(pdf, "rb") as file:
            self.assertIn(len(re.findall(rb"/Type\s*/Page\b", file.read())), (2, 3, 4))
        page.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(page.eval("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(page.eval("getComputedStyle(document.querySelector('nav')).display"), "none")
        self.assertSilent(page)


def luminance(color):
    channels = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


if __name__ == "__main__":
    unittest.main()
