import { Writable } from 'node:stream';
import fc from 'fast-check';
import { type Logger } from 'pino';
import { createLogger } from './logger';

const base64url = (min: number, max = min + 30) =>
  fc.string({
    unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
    minLength: min,
    maxLength: max,
  });

/** The part of a text that must not be seen, and the text. */
interface Planted {
  secret: string;
  text: string;
}

/** Secrets that are known by their form, wherever they stand. */
const byForm: fc.Arbitrary<Planted> = base64url(24).chain((secret) =>
  fc
    .constantFrom(
      ...['sst_', 'ssr_', 'ssi_', 'whsec_', 'Bearer ', 'bearer ', 'Basic '].map((mark) => mark + secret),
      `eyJhbGciOiJIUzI1NiJ9.eyJz${secret}.${secret}`,
      `https://s3.test/b/k?X-Amz-Algorithm=A&X-Amz-Credential=${secret}%2F20260101&X-Amz-Signature=${secret}&x-id=Put`,
      `https://proxy.test/?to=https%3A%2F%2Fs3%3FX-Amz-Signature%3D${secret}`,
      `https://api.test/v1/auth/callback?state=${secret}&code=${secret}`,
      `Cookie: stallscope_refresh=${secret}; theme=dark`,
      `set-cookie: stallscope_refresh=${secret}; Path=/; HttpOnly`,
      `authorization: Custom ${secret}`,
      `postgresql://app:${secret}@db.test:5432/x`,
      `rediss://:${secret}@redis.test`,
    )
    .map((text) => ({ secret, text })),
);

const secretName = fc.constantFrom(
  ...['password', 'newPassword', 'currentPassword', 'passwordHash', 'token', 'accessToken', 'refresh_token'],
  ...['secret', 'clientSecret', 'secretAccessKey', 'authorization', 'Authorization', 'cookie', 'set-cookie'],
);

/** Puts a value where code might log it: some levels deep, in lists, in errors, in JSON inside a text. */
const wrapped = (leaf: unknown) =>
  fc
    .array(fc.constantFrom('object', 'list', 'request'), { maxLength: 7 })
    .map((levels) =>
      levels.reduce<unknown>(
        (inner, level) =>
          level === 'list' ? [inner] : level === 'request' ? { req: { headers: inner } } : { inner },
        leaf,
      ),
    );

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

function logged(write: (logger: Logger) => void): string {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  write(createLogger({ level: 'trace' }, sink));
  for (const line of text.trim().split('\n')) expect(() => void JSON.parse(line)).not.toThrow();
  return text;
}

describe('the log never shows', () => {
  it('a secret that is known by its form: in messages, fields, errors, causes and stacks, at any level', () => {
    const cases = fc.record({
      planted: byForm,
      level: fc.constantFrom(...levels),
      before: fc.string(),
      place: fc.constantFrom('message', 'field', 'error', 'cause', 'text'),
    });
    const property = fc.property(cases, ({ planted: { secret, text }, level, before, place }) => {
      const spoken = `${before} ${text}`;
      const output = logged((logger) => {
        if (place === 'message') logger[level](spoken);
        else if (place === 'field') logger[level]({ deep: { url: spoken } }, 'x');
        else if (place === 'text') logger[level]({ body: JSON.stringify({ line: spoken }) }, 'x');
        else {
          const error = new Error(place === 'error' ? spoken : 'outer', { cause: new Error(spoken) });
          logger[level]({ err: error }, 'failed');
        }
      });
      expect(output).not.toContain(secret);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('the value of a field that is named like a secret, at any depth, also in JSON inside a text', () => {
    const cases = fc
      .record({ name: secretName, secret: base64url(12), asText: fc.boolean() })
      .chain(({ name, secret, asText }) => {
        const leaf = { [name]: `pa ss"wo\\rd ${secret}` };
        return wrapped(asText ? JSON.stringify({ [name]: `pa ss ${secret}` }) : leaf).map((value) => ({
          value,
          secret,
        }));
      });
    const property = fc.property(cases, ({ value, secret }) => {
      expect(logged((logger) => logger.info({ value }, 'x'))).not.toContain(secret);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('cookies in a list, and numbers that are passwords', () => {
    const fields = { headers: { 'set-cookie': ['a=hunter2', 'b=hunter3'] }, password: 424242 };
    expect(logged((logger) => logger.info(fields, 'x'))).not.toMatch(/hunter|424242/);
  });
});

it('keeps what is no secret: ids of tokens, names, addresses, numbers of a run', () => {
  const fields = {
    tokenId: '0199',
    tokenName: 'ci',
    teamId: 't',
    url: 'http://127.0.0.1:8080/v1/runs?limit=2',
  };
  const text = logged((logger) => logger.info({ ...fields, durationMs: 3.5 }, 'token created by a person'));
  expect(JSON.parse(text)).toMatchObject({ ...fields, durationMs: 3.5, msg: 'token created by a person' });
});
