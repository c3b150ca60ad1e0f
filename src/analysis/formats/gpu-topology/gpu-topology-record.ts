/** The matrix of `nvidia-smi topo -m`. */
export interface GpuTopology {
  /** `GPU0`, `NIC0` or, in older versions, `mlx5_0`; order of rows and columns. */
  devices: GpuTopologyDevice[];
  /** `links[i][j]` is what is between devices i and j: `NV18`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`; `X` for itself. Null where the text is damaged. */
  links: (string | null)[][];
}

export interface GpuTopologyDevice {
  name: string;
  kind: 'gpu' | 'nic';
  /** Name in the system of a NIC that the matrix numbers: `mlx5_0`. */
  systemName: string | null;
  /** Cores next to it, as written: `0-31,64-95`. Null where none is given. */
  cpuAffinity: string | null;
  numaNode: string | null;
}
