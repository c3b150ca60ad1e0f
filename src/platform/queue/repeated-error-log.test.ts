import { Logger } from '@nestjs/common';
import { RepeatedErrorLog } from './repeated-error-log';

describe('the log of repeated errors', () => {
  const warn = jest.fn();
  const log = Object.assign(new Logger('test'), { warn });

  beforeEach(() => {
    jest.useFakeTimers();
    warn.mockClear();
  });
  afterEach(() => jest.useRealTimers());

  it('tells an error once, then every half minute with how often it was seen', () => {
    const errors = new RepeatedErrorLog(log, 'queue q');
    for (let i = 0; i < 100; i++) errors.report(new Error('connection refused'));
    expect(warn).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(30_000);
    errors.report(new Error('connection refused'));
    expect(warn).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenLastCalledWith(
      expect.objectContaining({ repeats: 99 }),
      'queue q: connection refused',
    );
  });

  it('tells another error at once, and gives words to one without', () => {
    const errors = new RepeatedErrorLog(log, 'queue q');
    errors.report(new Error('one'));
    errors.report(Object.assign(new Error(''), { code: 'ECONNREFUSED' }));
    expect(warn).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenLastCalledWith(expect.anything(), 'queue q: ECONNREFUSED');
  });
});
