"""Which environment variables may leave the machine. Nothing of the environment is sent that is not named here or by the user."""

from __future__ import annotations

import re
from typing import Iterable, Mapping

#: They decide about speed, and hold numbers, switches and names of network interfaces.
NAMES = frozenset(
    """
    OMP_NUM_THREADS MKL_NUM_THREADS OPENBLAS_NUM_THREADS NUMEXPR_NUM_THREADS KMP_AFFINITY KMP_BLOCKTIME
    OMP_PROC_BIND OMP_PLACES GOMP_CPU_AFFINITY TOKENIZERS_PARALLELISM MALLOC_CONF MALLOC_ARENA_MAX
    CUDA_DEVICE_MAX_CONNECTIONS CUDA_LAUNCH_BLOCKING CUDA_MODULE_LOADING CUDA_DEVICE_ORDER CUDA_CACHE_DISABLE
    CUBLAS_WORKSPACE_CONFIG CUBLASLT_WORKSPACE_SIZE CUDNN_LOGINFO_DBG NVIDIA_TF32_OVERRIDE
    PYTORCH_CUDA_ALLOC_CONF PYTORCH_HIP_ALLOC_CONF PYTORCH_ALLOC_CONF PYTORCH_NO_CUDA_MEMORY_CACHING
    PYTORCH_KERNEL_CACHE_PATH TORCH_CUDNN_V8_API_DISABLED TORCH_ALLOW_TF32_CUBLAS_OVERRIDE TORCH_DISTRIBUTED_DEBUG
    TORCH_COMPILE_DISABLE TORCHDYNAMO_DISABLE TORCHINDUCTOR_MAX_AUTOTUNE TORCHINDUCTOR_FREEZING
    TORCHINDUCTOR_COORDINATE_DESCENT_TUNING NVTE_FLASH_ATTN NVTE_FUSED_ATTN NVTE_FP8_DPA_BWD
    HIP_VISIBLE_DEVICES HSA_FORCE_FINE_GRAIN_PCIE HSA_ENABLE_SDMA GPU_MAX_HW_QUEUES RCCL_MSCCL_ENABLE
    UCX_TLS UCX_NET_DEVICES GLOO_SOCKET_IFNAME FI_PROVIDER FI_EFA_USE_DEVICE_RDMA FI_EFA_FORK_SAFE
    NVSHMEM_DISABLE_CUDA_VMM
    """.split()
)
#: Families of switches whose every member is of that kind.
PREFIXES = ("NCCL_", "TORCH_NCCL_")

#: Facts of the launch that are the same for all its ranks, and make one launch another than the next.
LAUNCH_NAMES = (
    "SLURM_CLUSTER_NAME SLURM_JOB_ID SLURM_STEP_ID SLURM_RESTART_COUNT SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_ID "
    "SLURM_JOB_NUM_NODES SLURM_JOB_PARTITION SLURM_JOB_START_TIME PBS_JOBID LSB_JOBID POD_NAMESPACE JOB_NAME "
    "TORCHELASTIC_RUN_ID TORCHELASTIC_RESTART_COUNT MASTER_ADDR MASTER_PORT"
).split()
#: Where in the launch one rank is.
RANK_NAMES = "SLURMD_NODENAME SLURM_LOCALID LOCAL_RANK GROUP_RANK POD_NAME NODE_NAME JOB_COMPLETION_INDEX".split()

#: As the server refuses them; also when the user names them.
SECRET = re.compile(
    r"(^|_)(SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIALS?|API_?KEY|ACCESS_KEY|PRIVATE_KEY)(_|$)", re.IGNORECASE
)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")
MAX_VARIABLES = 200
MAX_VALUE_CHARS = 1_000


def allowed(environ: Mapping[str, str], more: Iterable[str] = ()) -> dict[str, str]:
    """The variables that may be sent, by name; values that are too long or not one printable line are left out."""
    wanted = NAMES | {name.strip() for name in more}
    names = sorted(name for name in environ if name in wanted or name.startswith(PREFIXES))
    return _sendable(environ, names)


def named(environ: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Those of `names` that are set, and may be sent."""
    return _sendable(environ, [name for name in names if environ.get(name)])


def _sendable(environ: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    fit = [
        name
        for name in names
        if NAME.fullmatch(name)
        and not SECRET.search(name)
        and len(environ[name]) <= MAX_VALUE_CHARS
        and environ[name].isprintable()
    ]
    return {name: environ[name] for name in fit[:MAX_VARIABLES]}
