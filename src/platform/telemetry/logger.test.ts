import { Writable } from 'node:stream';
import { createLogger } from './logger';
import { scrubSecrets } from './scrub-secrets';

const token = `sst_${'Ab3-_'.repeat(8)}abc`;

describe('scrubSecrets', () => {
  it.each([
    ['a presigned URL', 'https://s3/b/k?X-Amz-Credential=AKIA%2F2026&X-Amz-Signature=0a1b2c&x-id=PutObject'],
    ['one inside another URL', 'https://p/?u=https%3A%2F%2Fs3%3FX-Amz-Signature%3D0a1b2c'],
    ['a token', `got ${token} from the client`],
    ['a refresh token', `got ${token.replace('sst_', 'ssr_')} from the client`],
    ['an invitation', `got ssi_${'Ab3-_'.repeat(8)}abc`],
    ['a bearer', 'authorization: Bearer 0a1b2c.AKIA'],
    ['an access token', 'jwt eyJhbGciOi.eyJ0a1b2c.AKIA-_x'],
    ['a connection string', 'connect postgresql://app:0a1b2c@db:5432/x failed'],
  ])('takes the secret out of %s', (_, text) => {
    expect(scrubSecrets(text)).not.toMatch(/0a1b2c|AKIA|Ab3/);
  });

  it('leaves the rest readable', () => {
    expect(scrubSecrets('GET https://s3/b/k?X-Amz-Signature=0a1b2c&x-id=PutObject took 3 ms')).toBe(
      'GET https://s3/b/k?X-Amz-Signature=[redacted]&x-id=PutObject took 3 ms',
    );
    const harmless = 'run 0199-aa at http://127.0.0.1:8080/docs, user@example.test, 12:30:01 basic model';
    expect(scrubSecrets(harmless)).toBe(harmless);
  });
});

describe('createLogger', () => {
  it('writes one JSON object a line, without secrets at any depth, errors included', () => {
    let text = '';
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        text += chunk.toString();
        done();
      },
    });
    const logger = createLogger({ level: 'info' }, sink);
    logger.info({ password: 'hunter2', body: { token, user: { accessToken: 'hunter2' } } }, 'hello');
    logger.error(
      { err: new Error(`no ${token}`, { cause: new Error('postgres://a:hunter2@h/x') }) },
      'failed',
    );
    logger.debug('not at this level');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['info', 'hello'],
      ['error', 'failed'],
    ]);
    expect(text).not.toMatch(/hunter2|Ab3/);
    expect(Date.parse(lines[0].time as string)).toBeGreaterThan(0);
  });
});
