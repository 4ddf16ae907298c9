"""Starting a machine's services, as services.yaml says. The command of each is kept in the machine too
(/etc/assay-lab/services/NAME), so that a fault can start it anew.

start          all of this machine's, in order; waits for each to be up
restart        one, in a lab that runs
await_nodes    until slurmctld waits for no node's answer
"""

import subprocess
import time

import yaml

from . import files, paths

SERVICES = yaml.safe_load((paths.LAB / "services.yaml").read_text())


def start(member, channel) -> None:
    waited = False
    for service in SERVICES:
        if member.role not in service["where"]:
            continue
        if service.get("needs") == "cluster" and not waited:
            channel.expect("cluster")
            waited = True
        files.put(f"/etc/assay-lab/services/{service['name']}", f"#!/bin/sh\n{service['start']}\n", 0o755)
        subprocess.run(["/bin/sh", f"/etc/assay-lab/services/{service['name']}"], stdin=subprocess.DEVNULL, check=False)
        _await(service)


def _await(service, seconds: float = 30) -> None:
    until = time.monotonic() + seconds
    while (
        subprocess.run(["/bin/sh", "-c", service["up"]], capture_output=True, stdin=subprocess.DEVNULL).returncode != 0
    ):
        if time.monotonic() > until:
            raise RuntimeError(f"{service['name']} is not up after {seconds:.0f} s; expected: {service['up']}")
        time.sleep(0.02)


def restart(lab, machine: str, name: str) -> None:
    """From outside: end it by its pid file, then start it as at first. A service that is down is just started. One may be
    up and yet need others to come back to it before it works as before: that is waited for too (`settled`)."""
    service = next((one for one in SERVICES if one["name"] == name), None)
    if service is None:
        raise SystemExit(f"lab: expected a service among {', '.join(one['name'] for one in SERVICES)}, got {name!r}")
    script = f"""pid=$(cat {service["pid"]} 2>/dev/null) && kill "$pid" 2>/dev/null &&
    while kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
rm -f {service["pid"]}
/bin/sh /etc/assay-lab/services/{name} </dev/null >/dev/null 2>&1
for _ in $(seq 1000); do ( {service["up"]} && {service.get("settled", "true")} ) >/dev/null 2>&1 && exit; sleep 0.02; done
echo "{name} is not up after 20 s" >&2
exit 1"""
    subprocess.run(lab.enter(machine, ["/bin/sh", "-c", script]), check=True, stdin=subprocess.DEVNULL)


# A node that was just resumed, and every node after slurmctld's start, counts as silent until it has answered a ping.
# One that is given up (DOWN), and what isn't there on purpose, is no wait's worth.
AWAITED = """for _ in $(seq 600); do
  states=$(scontrol -o show nodes | grep -o ' State=[^ ]*') || states=UNKNOWN
  echo "$states" | grep -v -e DOWN -e POWER | grep -q -e NOT_RESPONDING -e UNKNOWN || exit 0
  sleep 0.1
done
echo "lab: expected every node to answer slurmctld within 60 s, got:" $states >&2
exit 1"""


def await_nodes(lab) -> None:
    subprocess.run(lab.enter("head", ["/bin/sh", "-c", AWAITED]), check=True, stdin=subprocess.DEVNULL)
