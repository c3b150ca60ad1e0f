import { mi200Specs } from './amd/mi200';
import { mi300Specs } from './amd/mi300';
import { mi350Specs } from './amd/mi350';
import { type GpuSpec } from './gpu-spec';
import { a10Specs } from './nvidia/a10';
import { a100Specs } from './nvidia/a100';
import { a30Specs } from './nvidia/a30';
import { a800Specs } from './nvidia/a800';
import { adaSpecs } from './nvidia/ada';
import { b200Specs } from './nvidia/b200';
import { b300Specs } from './nvidia/b300';
import { ga102Specs } from './nvidia/ga102';
import { gh200Specs } from './nvidia/gh200';
import { h100Specs } from './nvidia/h100';
import { h20Specs } from './nvidia/h20';
import { h200Specs } from './nvidia/h200';
import { h800Specs } from './nvidia/h800';
import { rtx5090Specs } from './nvidia/rtx-5090';
import { t4Specs } from './nvidia/t4';
import { v100Specs } from './nvidia/v100';

/** Every GPU whose peaks are known. One line adds a family. */
export const GPU_SPECS: readonly GpuSpec[] = [
  ...v100Specs,
  ...t4Specs,
  ...a10Specs,
  ...a30Specs,
  ...ga102Specs,
  ...a100Specs,
  ...a800Specs,
  ...adaSpecs,
  ...h100Specs,
  ...h800Specs,
  ...h20Specs,
  ...h200Specs,
  ...gh200Specs,
  ...b200Specs,
  ...b300Specs,
  ...rtx5090Specs,
  ...mi200Specs,
  ...mi300Specs,
  ...mi350Specs,
];
