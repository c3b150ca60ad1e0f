import { retryDelayMs } from './retry-delay';

describe('the delay before another attempt', () => {
  it('doubles from one second to a minute', () => {
    const delays = [0];
    while (delays.length < 10) delays.push(retryDelayMs(delays[delays.length - 1]));
    expect(delays.slice(1)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((s) => s * 1000));
  });
});
