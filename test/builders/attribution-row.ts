import { attributeRank, type RankAttribution } from '../../src/analysis/attribution/attribute-rank';
import { type Intervals } from '../../src/analysis/timeline/intervals';
import { ProblemLog } from '../../src/analysis/timeline/problem';
import { DEFAULT_UNIT_NS, drawTimeline, type DrawOptions, parseRows } from './draw-timeline';

/** Letters of the answer row. */
const ANSWER = {
  compute: 'C',
  exposedCommunication: 'X',
  exposedMemcpy: 'M',
  inputWait: 'i',
  syncWait: 's',
  allocator: 'a',
  launchGap: 'g',
  hostOther: 'h',
  dependency: 'd',
  unexplained: 'u',
} as const;

/**
 * Reads a drawing whose last row, named `=`, is the expected attribution, and gives both that row and the actual one.
 * A column whose time has two owners reads `!`, one with none `?` within the steps and ` ` outside.
 */
export function attributionRows(
  drawing: string,
  options: DrawOptions = {},
): { expected: string; actual: string } {
  const rows = parseRows(drawing);
  const expected = rows.find((row) => row.track === '=')?.cells.trimEnd() ?? '';
  const timeline = drawTimeline(
    drawing
      .split('\n')
      .filter((line) => !line.trim().startsWith('='))
      .join('\n'),
    options,
  );
  const attribution = attributeRank(0, timeline, new ProblemLog());
  return { expected, actual: renderAttribution(attribution, options.unitNs ?? DEFAULT_UNIT_NS) };
}

function renderAttribution({ device, windows }: RankAttribution, unitNs: number): string {
  if (!device) return '';
  const first = windows.windows[0];
  const last = windows.windows[windows.windows.length - 1];
  const cells = new Array<string>(last.endNs / unitNs).fill(' ').fill('?', first.startNs / unitNs);
  const paint = (intervals: Intervals, letter: string): void => {
    for (let i = 0; i < intervals.count; i++) {
      for (let c = intervals.startNs[i] / unitNs; c < intervals.endNs[i] / unitNs; c++) {
        if (c < cells.length) cells[c] = cells[c] === '?' ? letter : cells[c] === ' ' ? ' ' : '!';
      }
    }
  };
  paint(device.activity.compute, ANSWER.compute);
  paint(device.activity.exposedCommunication, ANSWER.exposedCommunication);
  paint(device.activity.exposedMemcpy, ANSWER.exposedMemcpy);
  for (const [cause, intervals] of Object.entries(device.idle))
    paint(intervals, ANSWER[cause as keyof typeof ANSWER]);
  return cells.join('').trimEnd();
}
