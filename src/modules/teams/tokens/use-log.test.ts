import { UseLog } from './use-log';

const at = (seconds: number) => new Date(1_000_000_000_000 + seconds * 1000);

describe('UseLog', () => {
  it('lets a note through once a minute for each token', () => {
    const log = new UseLog();
    expect(log.start('a', at(0))).toEqual(at(-60));
    expect(log.start('a', at(59))).toBeUndefined();
    expect(log.start('b', at(59))).toEqual(at(-1));
    expect(log.start('a', at(60))).toEqual(at(0));
  });

  it('lets a note that failed through again', () => {
    const log = new UseLog();
    log.start('a', at(0));
    log.forget('a');
    expect(log.start('a', at(1))).toBeDefined();
  });

  it('remembers a bounded number of tokens, the latest', () => {
    const log = new UseLog();
    for (let i = 0; i <= 10_000; i++) log.start(`t${i}`, at(0));
    expect(log.start('t0', at(1))).toBeDefined();
    expect(log.start('t10000', at(1))).toBeUndefined();
  });
});
