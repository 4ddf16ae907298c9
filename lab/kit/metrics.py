"""What a node's exporters answer: the usual metrics of node_exporter and dcgm-exporter, of a machine at rest."""

from .scenario import gpus, uuid

DCGM = {
    "DCGM_FI_DEV_SM_CLOCK": ("gauge", "SM clock frequency (in MHz).", 345),
    "DCGM_FI_DEV_MEM_CLOCK": ("gauge", "Memory clock frequency (in MHz).", 2619),
    "DCGM_FI_DEV_GPU_TEMP": ("gauge", "GPU temperature (in C).", 31),
    "DCGM_FI_DEV_POWER_USAGE": ("gauge", "Power draw (in W).", 71.2),
    "DCGM_FI_DEV_GPU_UTIL": ("gauge", "GPU utilization (in %).", 0),
    "DCGM_FI_DEV_XID_ERRORS": ("gauge", "Value of the last XID error encountered.", 0),
    "DCGM_FI_DEV_FB_FREE": ("gauge", "Framebuffer memory free (in MiB).", 80938),
    "DCGM_FI_DEV_FB_USED": ("gauge", "Framebuffer memory used (in MiB).", 0),
    "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL": ("counter", "Total number of double-bit volatile ECC errors.", 0),
    "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS": ("counter", "Number of remapped rows for uncorrectable errors", 0),
    "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS": ("counter", "Number of remapped rows for correctable errors", 0),
    "DCGM_FI_DEV_ROW_REMAP_FAILURE": ("gauge", "Whether remapping of rows has failed", 0),
    "DCGM_FI_DEV_PCIE_REPLAY_COUNTER": ("counter", "Total number of PCIe retries.", 0),
    "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL": ("counter", "Total number of NVLink bandwidth counters for all lanes.", 0),
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": ("gauge", "Ratio of time the graphics engine is active.", 0),
    "DCGM_FI_PROF_SM_ACTIVE": ("gauge", "The ratio of cycles an SM has at least 1 warp assigned.", 0),
    "DCGM_FI_PROF_SM_OCCUPANCY": ("gauge", "The ratio of number of warps resident on an SM.", 0),
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": ("gauge", "Ratio of cycles the tensor (HMMA) pipe is active.", 0),
    "DCGM_FI_PROF_DRAM_ACTIVE": (
        "gauge",
        "Ratio of cycles the device memory interface is active sending or receiving data.",
        0,
    ),
    "DCGM_FI_PROF_PCIE_TX_BYTES": (
        "gauge",
        "The rate of data transmitted over the PCIe bus, in bytes per second.",
        1048576,
    ),
    "DCGM_FI_PROF_PCIE_RX_BYTES": (
        "gauge",
        "The rate of data received over the PCIe bus, in bytes per second.",
        1048576,
    ),
}
NODE = {
    "node_boot_time_seconds": ("gauge", "Node boot time, in unixtime.", {"": "1.7956e+09"}),
    "node_cpu_seconds_total": (
        "counter",
        "Seconds the CPUs spent in each mode.",
        {'cpu="0",mode="idle"': 362211.4, 'cpu="0",mode="user"': 812.1},
    ),
    "node_load1": ("gauge", "1m load average.", {"": 0.02}),
    "node_memory_MemAvailable_bytes": ("gauge", "Memory information field MemAvailable_bytes.", {"": "2.111e+12"}),
    "node_memory_MemTotal_bytes": ("gauge", "Memory information field MemTotal_bytes.", {"": "2.164e+12"}),
    "node_filesystem_avail_bytes": (
        "gauge",
        "Filesystem space available to non-root users in bytes.",
        {'device="/dev/nvme1n1",fstype="xfs",mountpoint="/scratch"': "3.8e+12"},
    ),
    "node_network_receive_bytes_total": (
        "counter",
        "Network device statistic receive_bytes.",
        {'device="eth0"': 88123341},
    ),
    "node_infiniband_port_data_received_bytes_total": (
        "counter",
        "Number of data octets received on all links",
        {'device="mlx5_0",port="1"': "3.5244e+11"},
    ),
    "node_infiniband_port_data_transmitted_bytes_total": (
        "counter",
        "Number of data octets transmitted on all links",
        {'device="mlx5_0",port="1"': "3.5197e+11"},
    ),
    "node_timex_sync_status": ("gauge", "Is clock synchronized to a reliable server (1 = yes, 0 = no).", {"": 1}),
    "node_uname_info": (
        "gauge",
        "Labeled system information as provided by the uname system call.",
        {'machine="x86_64",nodename="NAME",sysname="Linux"': 1},
    ),
}


def dcgm(member) -> str:
    labels = [
        f'gpu="{number}",UUID="{uuid(member, number)}",pci_bus_id="0000{gpu.address.upper()}",device="nvidia{number}",'
        f'modelName="NVIDIA H100 80GB HBM3",Hostname="{member.name}",DCGM_FI_DRIVER_VERSION="580.178.04"'
        for number, gpu in enumerate(gpus())
    ]
    return "".join(
        _metric(name, kind, about, {label: value for label in labels}) for name, (kind, about, value) in DCGM.items()
    )


def node(member) -> str:
    return "".join(_metric(name, kind, about, values) for name, (kind, about, values) in NODE.items()).replace(
        "NAME", member.name
    )


def _metric(name: str, kind: str, about: str, values: dict) -> str:
    lines = [f"{name}{{{labels}}} {value}" if labels else f"{name} {value}" for labels, value in values.items()]
    return f"# HELP {name} {about}\n# TYPE {name} {kind}\n" + "\n".join(lines) + "\n"
