"""The portable agents (scripts/portable-agents builds them into build/portable): no glibc newer than 2.28 is asked for,
the arm64 one serves under qemu-user, and the x86-64 one serves in Debian 11, 12 and 13 roots."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from where import built

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
AGENTS = SOURCE / "build/portable"
ROOTS = pathlib.Path(os.environ.get("ASSAY_ROOTS_CACHE", "/var/cache/assay-roots"))
RELEASES = {"bullseye": "11", "bookworm": "12", "trixie": "13"}


def serve(*command, root="/"):
    """Everything an agent says to one request."""
    request = json.dumps({"type": "collect", "id": 1, "root": str(root)}) + "\n"
    result = subprocess.run([str(part) for part in command], input=request.encode(), capture_output=True, timeout=300)
    if result.returncode != 0:
        raise AssertionError(f"{command} ended with {result.returncode}: {result.stderr.decode(errors='replace')}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def of_type(lines, kind):
    return [line for line in lines if line["type"] == kind]


def value(lines, name):
    return next(line.get("value") for line in of_type(lines, "observation") if line["name"] == name and line["subject"] == "")


def readers():
    said = subprocess.run([str(built("src/assay-agent")), "--vocabulary"], capture_output=True, text=True, check=True)
    return {line.split("\t")[0] for line in said.stdout.splitlines()}


class Agents(unittest.TestCase):
    def assert_served(self, lines, arch):
        self.assertEqual(of_type(lines, "hello")[0]["arch"], arch)
        ended = {line["reader"]: line["state"] for line in of_type(lines, "done")}
        self.assertEqual(ended, {reader: "ok" for reader in readers()})
        self.assertEqual(lines[-1]["type"], "finished")

    def test_no_newer_glibc_is_asked_for(self):
        for arch in ("x86_64", "aarch64"):
            with self.subTest(arch=arch):
                symbols = subprocess.run(["readelf", "--version-info", "-W", str(AGENTS / arch / "assay-agent")], capture_output=True, text=True, check=True)
                versions = {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([0-9.]+)", symbols.stdout)}
                self.assertTrue(versions)
                self.assertLessEqual(max(versions), (2, 28))
                needed = subprocess.run(["readelf", "-d", "-W", str(AGENTS / arch / "assay-agent")], capture_output=True, text=True, check=True)
                self.assertNotIn("libstdc++", needed.stdout)
                self.assertNotIn("libfmt", needed.stdout)

    def test_arm64_under_qemu(self):
        lines = serve("qemu-aarch64-static", "-L", "/usr/aarch64-linux-gnu", AGENTS / "aarch64/assay-agent")
        self.assert_served(lines, "aarch64")
        self.assertEqual(value(lines, "kernel.machine"), "aarch64")

    @unittest.skipUnless(os.geteuid() == 0, "debootstrap and chroot need root")
    def test_debian_11_12_and_13(self):
        for release, version in RELEASES.items():
            with self.subTest(release=release):
                root = debian(release)
                shutil.copy2(AGENTS / "x86_64/assay-agent", root / "assay-agent")
                lines = serve("chroot", root, "/assay-agent")
                self.assert_served(lines, "x86_64")
                self.assertEqual(value(lines, "os.version"), version)
                # The same root as a tree that stands for a machine.
                lines = serve(AGENTS / "x86_64/assay-agent", root=root)
                self.assert_served(lines, "x86_64")
                self.assertEqual(value(lines, "os.version"), version)


def debian(release):
    """A small root of a release, made once."""
    root = ROOTS / release
    if not (root / "made").exists():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        subprocess.run(["debootstrap", "--variant=minbase", release, str(root)], check=True, stdout=subprocess.DEVNULL)
        (root / "made").touch()
    return root


if __name__ == "__main__":
    unittest.main()
