import { idIn, readSide, toRequest } from './sides';

const [a, b] = ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058'];
const run = { seriesId: 's', branch: 'main', startedAt: null, createdAt: '2026-01-02T00:00:00.000Z' };

describe('the sides of a comparison', () => {
  it('are runs by id, one or several', () => {
    expect(readSide(null)).toBeNull();
    expect(readSide('')).toBeNull();
    expect(toRequest({ ids: [a] }, { ids: [a, b] }, undefined)).toEqual({
      before: { runIds: [a] },
      after: { runIds: [a, b] },
    });
    expect(readSide('constructor')).toEqual({ ids: ['constructor'] });
  });

  it('may be told by conditions', () => {
    const base = readSide('seriesId=s&from=2026-01-01T00%3A00%3A00Z') ?? { ids: [] };
    expect(toRequest(base, { ids: [a] }, undefined)?.before).toEqual({
      filter: { seriesId: 's', from: '2026-01-01T00:00:00Z', limit: 200 },
    });
  });

  it('may be the runs of the series before', () => {
    const base = readSide('previous-10') ?? { ids: [] };
    const filter = { seriesId: 's', branch: 'main', to: run.createdAt, limit: 10 };
    expect(toRequest(base, { ids: [a] }, run)).toEqual({ before: { filter }, after: { runIds: [a] } });
    const { branch: _, ...unbranched } = filter;
    expect(toRequest(base, { ids: [a] }, { ...run, branch: null })?.before).toEqual({ filter: unbranched });
    expect(toRequest(base, { ids: [a] }, undefined)).toBeNull();
    expect(toRequest(base, { ids: [a] }, { ...run, seriesId: null })).toBeNull();
    expect(toRequest({ ids: [a] }, base, run)).toBeNull();
  });

  it('are found in what was pasted', () => {
    expect(idIn(` ${a.toUpperCase()} `)).toBe(a);
    expect(idIn(`http://h/t/blue/runs/${a}?rank=1`)).toBe(a);
    expect(idIn(`/t/blue/compare?base=${a}&head=${b}`)).toBe(b);
    expect(idIn('gpt')).toBeNull();
  });
});
