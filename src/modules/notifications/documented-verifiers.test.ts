import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deriveSecret, signatureHeader } from './webhook-secrets';

const document = readFileSync(join(__dirname, '../../../docs/webhooks.md'), 'utf8');
const snippet = (language: string) =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(document)?.[1] ?? '';

// Each reads cases as JSON from standard input and writes an array of verdicts.
const languages = [
  {
    name: 'Node.js',
    command: [process.execPath, '-e'],
    program: `${snippet('js')}
const cases = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(([secret, header, body, nowS]) =>
  isFromStallscope(secret, header, Buffer.from(body), nowS))));`,
  },
  {
    name: 'Python',
    command: ['python3', '-c'],
    program: `from __future__ import annotations
${snippet('python')}
import json, sys
print(json.dumps([is_from_stallscope(s, h, b.encode(), n) for s, h, b, n in json.load(sys.stdin)]))`,
  },
];

const key = 'k'.repeat(32);
const id = '0190e8f1-0000-7000-8000-000000000001';
const [old, current, other] = [1, 2, 3].map((version) => deriveSecret(key, id, version));
const now = new Date('2026-11-30T12:00:00Z');
const nowS = now.getTime() / 1000;
const body = '{"model":"llama-ü 🦙"}';
const header = signatureHeader([current, old], body, now);
const v1 = header.split(',')[1];

/** Secret, header, body and clock of a receiver, and whether the request is to be accepted. */
const cases: [string, string, string, number, boolean][] = [
  [current, header, body, nowS, true],
  [old, header, body, nowS, true],
  [current, header, body, nowS + 300, true],
  [current, header, body, nowS - 300, true],
  [other, header, body, nowS, false],
  [current, header, `${body} `, nowS, false],
  [current, header, body, nowS + 301, false],
  [current, header, body, nowS - 301, false],
  [current, header.replace(`t=${nowS}`, `t=${nowS + 1}`), body, nowS, false],
  [current, header.replace(/t=\d+/, 't='), body, nowS, false],
  [current, header.replace(/t=\d+/, 't=soon'), body, nowS, false],
  [current, v1, body, nowS, false],
  [current, `t=${nowS}`, body, nowS, false],
  [current, `t=${nowS},v1=`, body, nowS, false],
  [current, `t=${nowS},v1=${'é'.repeat(64)}`, body, nowS, false],
  [current, `t=${nowS},${v1.slice(0, -2)}`, body, nowS, false],
  [current, '', body, nowS, false],
];

describe.each(languages)('the verifier for $name in docs/webhooks.md', ({ name, command, program }) => {
  it('accepts what is ours and new, and nothing else', () => {
    const [executable, flag] = command;
    const input = JSON.stringify(cases.map((one) => one.slice(0, 4)));
    const { error, stdout, stderr } = spawnSync(executable, [flag, program], { input, encoding: 'utf8' });
    if (name === 'Python' && error) {
      console.warn('There is no python3 here; the verifier for Python was not run.');
      return;
    }
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(cases.map(([, , , , accepted]) => accepted));
  });
});
