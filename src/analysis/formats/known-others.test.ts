import { describeUnknown, sniffFormat } from './sniff';

const bytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));

test.each([
  ['NVR\0\x10\0\0\0binary', /Nsight Compute.*ncu --import REPORT\.ncu-rep --csv --page raw/],
  ['\n\xa1\xf0\x08\x12\x0e/host:metadata"', /JAX or TensorFlow.*torch\.profiler/],
  ['{"rocprofiler-sdk-tool": [{"metadata": {}}]}', /rocprofv3.*torch\.profiler/],
  ['{\n  "schema": "1.1.1-chakra.0.0.4", "pid": 5, "nodes": []}', /execution trace.*no times/],
  ['"Time (%)","Total Time (ns)","Instances"\n', /Nsight Systems.*--type sqlite/],
  ['<system version="1">\n  <cpu numaid="0"', /topology that NCCL wrote.*NCCL_DEBUG=INFO/],
])('%j is recognised and no format takes it', (head, words) => {
  expect(sniffFormat(bytes(head))).toBeNull();
  expect(describeUnknown(bytes(head))).toMatch(words);
});

test.each([
  ['{"schema": 2, "steps": []}', 'a JSON document without trace events'],
  ['1,2,3\n', 'plain text'],
])('%j is not mistaken for one of them', (head, words) => {
  expect(describeUnknown(bytes(head))).toBe(words);
});
