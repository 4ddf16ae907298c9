"""/sys/class/infiniband: eight 400G rails and a storage adapter, each below its PCI device, as mlx5 shows them.

Limited membership in the default partition, full membership in one tenant partition; no error has been counted.
"""

from . import files
from .pcitree import devices, layout

QUIET = (
    "VL15_dropped excessive_buffer_overrun_errors link_downed link_error_recovery local_link_integrity_errors "
    "multicast_rcv_packets multicast_xmit_packets port_rcv_constraint_errors port_rcv_errors "
    "port_rcv_remote_physical_errors port_rcv_switch_relay_errors port_xmit_constraint_errors "
    "port_xmit_discards port_xmit_wait symbol_error"
).split()
BUSY = {
    "port_rcv_data": 88_112_004_551,
    "port_xmit_data": 87_994_120_882,
    "port_rcv_packets": 344_187_518,
    "port_xmit_packets": 343_727_035,
    "unicast_rcv_packets": 344_187_518,
    "unicast_xmit_packets": 343_727_035,
}
HARDWARE_QUIET = (
    "duplicate_request implied_nak_seq_err local_ack_timeout_err out_of_buffer out_of_sequence packet_seq_err "
    "req_cqe_error req_cqe_flush_error req_remote_access_errors req_remote_invalid_request resp_cqe_error "
    "resp_cqe_flush_error resp_local_length_error resp_remote_access_errors rnr_nak_retry_err roce_adp_retrans "
    "roce_adp_retrans_to roce_slow_restart roce_slow_restart_cnps roce_slow_restart_trans rx_atomic_requests "
    "rx_dct_connect rx_icrc_encapsulated"
).split()
PKEYS = 128


def make(sys: str, member) -> None:
    for device in devices():
        if device.kind not in ("adapter", "storage"):
            continue
        name = f"mlx5_{device.slot}"
        place = f"{device.path}/infiniband/{name}"
        _adapter(f"{sys}/devices/{place}", layout()["adapters"][device.kind], member, device.slot)
        depth = "../" * (place.count("/") + 1)
        files.link(f"{sys}/class/infiniband/{name}", f"../../devices/{place}")
        files.link(f"{sys}/devices/{place}/device", "../../../" + device.address)
        files.link(f"{sys}/devices/{place}/subsystem", f"{depth}class/infiniband")
        _management(sys, device, name)


def guid(member, slot: int) -> str:
    number = 0xA088C20300000000 + (member.number << 16) + slot
    text = f"{number:016x}"
    return ":".join(text[at : at + 4] for at in range(0, 16, 4))


def _adapter(folder: str, kind: dict, member, slot: int) -> None:
    files.put_all(
        folder,
        {
            "node_type": "1: CA",
            "node_guid": guid(member, slot),
            "sys_image_guid": guid(member, slot),
            "node_desc": f"{member.name} mlx5_{slot}",
            "fw_ver": kind["fw_ver"],
            "hca_type": kind["hca_type"],
            "board_id": kind["board_id"],
            "hw_rev": 0,
        },
    )
    port = f"{folder}/ports/1"
    files.put_all(
        port,
        {
            "state": "4: ACTIVE",
            "phys_state": "5: LinkUp",
            "rate": kind["rate"],
            "link_layer": "InfiniBand",
            "lid": f"{16 * member.number + slot:#x}",
            "lid_mask_count": 0,
            "sm_lid": "0x1",
            "sm_sl": 0,
            "cap_mask": "0xa751e848",
            "gids/0": f"fe80:0000:0000:0000:{guid(member, slot)}",
            **{f"gids/{at}": "0000:0000:0000:0000:0000:0000:0000:0000" for at in range(1, 8)},
            "pkeys/0": "0x7fff",
            "pkeys/1": "0x8001",
            **{f"pkeys/{at}": "0x0000" for at in range(2, PKEYS)},
            **{f"counters/{counter}": 0 for counter in QUIET},
            **{f"counters/{counter}": value for counter, value in BUSY.items()},
            **{f"hw_counters/{counter}": 0 for counter in HARDWARE_QUIET},
            "hw_counters/lifespan": 10,
            "hw_counters/rx_read_requests": 4112,
            "hw_counters/rx_write_requests": 90_114_233,
            "gid_attrs/types/0": "IB/RoCE v1",
        },
    )


def _management(sys: str, device, name: str) -> None:
    """The character devices' entries: which umad and uverbs belongs to which adapter."""
    for kind, folder in (("umad", "infiniband_mad"), ("issm", "infiniband_mad"), ("uverbs", "infiniband_verbs")):
        files.put_all(
            f"{sys}/class/{folder}/{kind}{device.slot}",
            {"ibdev": name, **({"port": 1} if kind != "uverbs" else {"abi_version": 1})},
        )
