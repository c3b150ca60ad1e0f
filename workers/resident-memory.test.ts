import { existsSync } from 'node:fs';
import { residentBytes } from './resident-memory';

describe('resident memory', () => {
  it('is that of the process, where the system says it', async () => {
    const bytes = await residentBytes(process.pid);
    if (!existsSync('/proc/self/status')) return expect(bytes).toBeUndefined();
    const own = process.memoryUsage.rss();
    expect(bytes).toBeGreaterThan(own * 0.5);
    expect(bytes).toBeLessThan(own * 2);
  });

  it('is not known of a process that is gone', async () => {
    expect(await residentBytes(2 ** 30)).toBeUndefined();
  });
});
