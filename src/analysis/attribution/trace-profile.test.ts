import { drawTimeline } from '../../../test/builders/draw-timeline';
import { ProblemLog } from '../timeline/problem';
import { attributeRank } from './attribute-rank';
import { profileOfTrace } from './trace-profile';

/** Longer than the Python between two operators only from four columns on. */
const UNIT_NS = 100_000;
const profileOf = (drawing: string) =>
  profileOfTrace(attributeRank(2, drawTimeline(drawing, { unitNs: UNIT_NS, rank: 2 }), new ProblemLog()));

test('frames count while the device is empty for want of work, each for what it does itself', () => {
  const profile = profileOf(`
    step      1.......................................
    frame     mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm
    frame           aaaaaaaa
    tokenise         tt tttt  tt      tttt
    op        oo                  oooooooooooooooooooo
    launch    a                   b
    kernel    aaaa                bbbbbbbbbbbbbbbbbbbb`);
  expect(profile).toMatchObject({ source: 'trace', rank: 2, unit: 'ns' });
  const weights = new Map(
    profile?.functions.map((f) => [f.name, [f.selfWeight / UNIT_NS, f.inclusiveWeight / UNIT_NS]]),
  );
  // Idle from 4 to 20: the loop itself, eight columns of a function, and in it and after it the tokeniser.
  expect(Object.fromEntries(weights)).toEqual({ frame_m: [6, 16], frame_a: [2, 8], encode_batch: [8, 8] });
  expect(profile?.activities.main).toEqual({ 'user-code': 8 * UNIT_NS, tokenisation: 8 * UNIT_NS });
});

test('frames behind a busy device count nothing, and without frames there is no profile', () => {
  const busy = `
    step      1.......................................
    op        oooooooooooooooooooooooooooooooooooooooo
    launch    a
    kernel    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`;
  expect(profileOf(`${busy}\n    tokenise    tttttttttttttttttttttttt`)).toBeNull();
  expect(profileOf(busy)).toBeNull();
});
