"""Pictures of a report, for people to look at: look.py REPORT.html FOLDER [#/route …]."""

import os
import sys

from chrome import Chrome

VIEWS = {
    "desktop": {},
    "dark": {"scheme": "dark"},
    "phone": {"width": 390, "height": 844, "mobile": True},
    "phone-dark": {"width": 390, "height": 844, "mobile": True, "scheme": "dark"},
}


def main(report, folder, *routes):
    os.makedirs(folder, exist_ok=True)
    with Chrome() as chrome:
        for name, view in VIEWS.items():
            page = chrome.page(**view)
            page.open(report)
            page.screenshot(os.path.join(folder, name + ".png"))
            page.screenshot(os.path.join(folder, name + "-first.png"), whole=False)
            for number, route in enumerate(routes):
                page.eval(f"location.hash = {route!r}, new Promise((done) => setTimeout(done, 100))")
                page.eval("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
                page.screenshot(os.path.join(folder, f"{name}-{number}.png"))
            for message in page.messages():
                print(name, message)
        page = chrome.page()
        page.open(report)
        page.pdf(os.path.join(folder, "print.pdf"))
        page = chrome.page(width=700)
        page.open(report)
        page.call("Emulation.setEmulatedMedia", media="print")
        page.eval("dispatchEvent(new Event('beforeprint'))")
        page.screenshot(os.path.join(folder, "print.png"))


if __name__ == "__main__":
    main(*sys.argv[1:])
