import {
  type Measured,
  type Op,
  type Peak,
  roofLines,
  rooflinePoints,
  roofsOfMeasured,
  spanOf,
} from './roofline-points';

const op = (intensityFlopPerByte: number | null, flopPerSec: number | null, deviceNs = 1) =>
  ({ op: 'aten::mm', inputDims: '[]', roof: 'compute', intensityFlopPerByte, flopPerSec, deviceNs }) as Op;
const PEAK: Peak = { flopKind: 'matrix', dtype: 'bf16', flopPerSec: 1e15, ridgeFlopPerByte: 200 };

it('has no place on logarithmic axes for what does nothing or moves nothing', () => {
  const points = rooflinePoints([op(100, 1e14, 3), op(0, 0), op(null, null), op(5, 0)], []);
  expect(points).toHaveLength(1);
  expect(points[0]).toMatchObject({ flopPerByte: 100, source: 'modelled', share: 3 / 6 });
});

it('leaves out what takes no time to speak of', () => {
  expect(rooflinePoints([op(100, 1e14, 2000), op(0.001, 1e5, 1)], [])).toHaveLength(1);
});

it('knows the roofs of measured kernels by the time that they would take there', () => {
  const kernel = { flopKind: 'vector', dtype: null, flop: 0, memoryBytes: 0 };
  const { peaks, bytesPerSec } = roofsOfMeasured([
    { ...kernel, roof: 'compute', flop: 6e13, leastNs: 1e9 } as Measured,
    { ...kernel, roof: 'memory', memoryBytes: 5e12, leastNs: 1e9 } as Measured,
    { ...kernel, roof: 'compute', flop: 7e13, leastNs: 1e9 } as Measured,
    { ...kernel, roof: null, leastNs: null } as Measured,
  ]);
  expect(bytesPerSec).toBe(5e12);
  expect(peaks).toEqual([{ dtype: 'fp32', flopKind: 'vector', flopPerSec: 6e13, ridgeFlopPerByte: 12 }]);
  expect(roofsOfMeasured([])).toEqual({ peaks: [], bytesPerSec: null });
});

it('draws the slope of the memory up to the ridge, then the peak', () => {
  const [{ line, ridge }] = roofLines([PEAK], 5e12, [1, 1000]);
  expect(ridge).toEqual([200, 1e15]);
  expect(line).toEqual([
    [1, 5e12],
    [200, 1e15],
    [1000, 1e15],
  ]);
  expect(roofLines([PEAK], null, [1, 1000])[0]).toMatchObject({ ridge: null });
});

it('spans all points and ridges', () => {
  const { x, y } = spanOf(rooflinePoints([op(0.5, 1e9)], []), [PEAK]);
  expect(x).toEqual([0.1, 1000]);
  expect(y).toEqual([1e9, 1e15]);
});
