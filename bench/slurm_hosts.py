"""A Slurm of N nodes on this one host: munge, slurmctld and N slurmd, told apart by NodeHostname and Port, without
namespaces. For what only needs a real scheduler: how long things take, how its client behaves. Needs root.

    with Cluster(4) as cluster:
        cluster.output(["sinfo"])
"""
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

FIRST_PORT = 27817


class Cluster:
    """N slurmd on this host; ends all that it started, whatever happens."""

    def __init__(self, nodes: int) -> None:
        self.nodes, self.children = nodes, []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="assay-bench-"))
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"))
        for name in [name for name in self.environment if name.startswith("SLURM_") and name != "SLURM_CONF"]:
            del self.environment[name]

    def __enter__(self) -> "Cluster":
        try:
            self._write()
            munge = self.folder / "munge"
            self._start(["munged", "-F", f"--key-file={munge}/key", f"--socket={munge}/socket", f"--pid-file={munge}/pid",
                         f"--log-file={munge}/log", f"--seed-file={munge}/seed", "--force"])
            self._await(lambda: (munge / "socket").exists(), "munged to be up")
            self._start(["slurmctld", "-D"])
            self._await(lambda: b"UP" in self.output(["scontrol", "ping"], check=False), "slurmctld to be up")
            for number in range(1, self.nodes + 1):
                self._start(["slurmd", "-D", "-N", f"n{number}"])
            self.await_idle()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for child in reversed(self.children):
            child.terminate()
        for child in self.children:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(10)
            child.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def await_idle(self) -> None:
        """Until every node is idle and answers: one that was just resumed counts as not responding for a moment."""
        self._await(self._all_idle, "every slurmd to answer and be idle")

    def output(self, call: list[str], check: bool = True) -> bytes:
        return subprocess.run(call, env=self.environment, check=check, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout

    def _write(self) -> None:
        folder, host = self.folder, socket.gethostname().split(".")[0]
        for name in ("munge", "spool", "state", "log"):
            (folder / name).mkdir()
        key = folder / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        (folder / "cgroup.conf").write_text("CgroupMountpoint=/sys/fs/cgroup\n")
        (folder / "plugstack.conf").write_text("")
        lines = [f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={FIRST_PORT + number} CPUs=1 RealMemory=100"
                 for number in range(1, self.nodes + 1)]
        (folder / "slurm.conf").write_text(f"""ClusterName=bench
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={FIRST_PORT}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/log/slurmctld
SlurmdLogFile={folder}/log/%n
PlugStackConfig={folder}/plugstack.conf
MailProg=/bin/true
SlurmdParameters=config_overrides
NodeName=DEFAULT State=UNKNOWN
{chr(10).join(lines)}
PartitionName=main Nodes=n[1-{self.nodes}] Default=YES MaxTime=INFINITE State=UP
""")

    def _start(self, call: list[str]) -> None:
        with open(self.folder / "log" / "daemons", "ab") as log:
            self.children.append(subprocess.Popen(call, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                  start_new_session=True))

    def _all_idle(self) -> bool:
        return self.output(["sinfo", "-h", "-N", "-o", "%T"], check=False).split().count(b"idle") == self.nodes

    def _await(self, is_so, what: str, seconds: float = 60) -> None:
        until = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > until:
                log = (self.folder / "log" / "daemons").read_text(errors="replace").splitlines()[-5:]
                raise SystemExit(f"audit-scale: expected {what} within {seconds:.0f} s; the daemons said last:\n" + "\n".join(log))
            time.sleep(0.05)
