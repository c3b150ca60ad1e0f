import { metadataProblem, newRunSchema } from './run-metadata';

const minimal = { model: 'm', cluster: 'c' };
const messagesOf = (value: unknown) =>
  newRunSchema.safeParse(value).error?.issues.map((i) => `${i.path.join('.')} ${i.message}`);

describe('metadata of a run', () => {
  it('needs model and cluster only', () => {
    expect(newRunSchema.parse(minimal)).toEqual({ ...minimal, tags: [], metadata: {} });
    expect(messagesOf({})).toHaveLength(2);
  });

  it.each([
    ['model', { model: '' }],
    ['model', { model: 'a\nb' }],
    ['model', { model: 'a\u0000b' }],
    ['cluster', { cluster: 'x'.repeat(201) }],
    ['worldSize', { worldSize: 0 }],
    ['tags.0', { tags: [''] }],
    ['', { colour: 'red' }],
  ])('refuses a bad %s', (path, part) => {
    const messages = messagesOf({ ...minimal, ...part });
    expect(messages).toHaveLength(1);
    expect(messages?.[0].startsWith(path)).toBe(true);
  });

  it('bounds depth before anything recurses', () => {
    let nested: unknown = 1;
    for (let i = 0; i < 8; i++) nested = { nested };
    expect(metadataProblem(nested)).toBeUndefined();
    expect(metadataProblem({ nested })).toContain('deeper');
    const hostile = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(metadataProblem({ hostile })).toContain('deeper');
  });

  it('bounds size, and refuses what Postgres cannot store', () => {
    expect(metadataProblem({ text: 'x'.repeat(70_000) })).toContain('bytes');
    expect(metadataProblem({ text: 'a\u0000' })).toContain('NUL');
    expect(metadataProblem({ 'a\u0000': 1 })).toContain('NUL');
    expect(metadataProblem({ text: 'a\ud800' })).toContain('Unicode');
    expect(metadataProblem({ text: 'the escape \\u0000 and \\ud800 spelled out, 😀' })).toBeUndefined();
  });
});
