/** Where the formulas of the estimates are published. */
export const CITATIONS = {
  ring: 'Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", JPDC 2009; the factors of nccl-tests, doc/PERFORMANCE.md',
  zero: 'Rajbhandari et al., "ZeRO: Memory Optimizations Toward Training Trillion Parameter Models", SC 2020, sections 5 and 7',
  fsdp: 'Zhao et al., "PyTorch FSDP: Experiences on Scaling Fully Sharded Data Parallel", VLDB 2023, section 3',
  adam: 'Kingma and Ba, "Adam", ICLR 2015: two moments per parameter',
  adam8bit:
    'Dettmers et al., "8-bit Optimizers via Block-wise Quantization", ICLR 2022: one byte per moment, one 32-bit scale per block of 2048',
  adafactor: 'Shazeer and Stern, "Adafactor", ICML 2018: one row and one column of moments per matrix',
  activations:
    'Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models", MLSys 2023 (2022 as arXiv:2205.05198), section 4',
  recompute:
    'Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016; Korthikanti et al. 2022, section 5',
  flashAttention: 'Dao et al., "FlashAttention", NeurIPS 2022',
  flop: 'Kaplan et al., "Scaling Laws for Neural Language Models", 2020: 6 flop per parameter and token',
  attentionFlop: 'Chowdhery et al., "PaLM", 2022, appendix B: 12 · layers · width · sequence per token',
} as const;
