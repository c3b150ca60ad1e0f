import { axisFormat } from './axis-format';

describe('axisFormat', () => {
  it('has one unit for an axis, and the decimals that tell its marks apart', () => {
    expect(axisFormat('ns', 99e6, 101e6)(100.4e6)).toBe('100.4 ms');
    expect(axisFormat('ns', 0, 1.5e9)(300e6)).toBe('0.3 s');
    expect(axisFormat('ratio', 0.2, 0.6)(0.4)).toBe('40 %');
    expect(axisFormat('bytes', 1e9, 60e9)(20e9)).toBe('20 GB');
    expect(axisFormat('count', 100, 900)(300)).toBe('300');
  });

  it('bears axes without extent, and units of later releases', () => {
    expect(axisFormat('ns', 0, 0)(0)).toBe('0 ns');
    expect(axisFormat('furlong', 1, 11)(4)).toBe('4 furlong');
  });
});
