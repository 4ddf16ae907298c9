"""The GPUs' scenario of a node: data/gpus.conf for all, then what is each GPU's own (bus address, UUID, serial)."""

from . import paths
from .pcitree import Device, devices


def gpus() -> list[Device]:
    return [device for device in devices() if device.kind == "gpu"]


def uuid(member, number: int) -> str:
    return f"GPU-{0xA55A0000 + member.number:08x}-0000-4000-8000-{number:012x}"


def text(member) -> str:
    own = [
        f"\n[gpu {number}]\npci = {gpu.address}\nminor = {number}\nuuid = {uuid(member, number)}\n"
        f"serial = 16{member.number:04}{number:07}\n"
        for number, gpu in enumerate(gpus())
    ]
    return (paths.LAB / "data/gpus.conf").read_text() + "".join(own)
