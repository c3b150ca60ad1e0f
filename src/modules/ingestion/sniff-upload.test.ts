import { gzipSync } from 'node:zlib';
import { refuseUnknownFormat } from './sniff-upload';

const trace = JSON.stringify({
  schemaVersion: 1,
  traceEvents: [
    { ph: 'X', cat: 'kernel', name: 'k', pid: 0, tid: 7, ts: 1, dur: 2, args: { device: 0, stream: 7 } },
  ],
});
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('the first look at an upload', () => {
  it.each([
    ['a trace', Buffer.from(trace)],
    ['a gzipped trace', gzipSync(trace)],
    ['the beginning of a gzipped trace', gzipSync(trace + ' '.repeat(100_000)).subarray(0, -50)],
    ['a gzip head that gives nothing', gzipSync(trace).subarray(0, 8)],
  ])('lets %s through', async (_what, head) => {
    await expect(refuseUnknownFormat(head)).resolves.toBeUndefined();
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'empty-file'],
    ['a picture', png, 'PNG'],
    ['a gzipped picture', gzipSync(png), 'PNG'],
    ['text', Buffer.from('hello, is this thing on?'), 'plain text'],
    ['zeros', Buffer.alloc(70_000), 'binary data'],
    ['a gzip bomb', gzipSync(Buffer.alloc(50_000_000)), 'binary data'],
  ])('refuses %s', async (_what, head, words) => {
    await expect(refuseUnknownFormat(head)).rejects.toThrow(words);
  });
});
