import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_FORMATS } from '../../src/analysis/formats';
import { METRICS } from '../../src/analysis/metrics';
import { BOTTLENECKS } from '../../src/analysis/report-schema';
import { RULES } from '../../src/analysis/rules';

const ANALYSIS = join(__dirname, '../../src/analysis');

/** Source files of a folder without tests and without those that hold the registry itself. */
function filesOf(folder: string, ...registry: string[]): string[] {
  return readdirSync(join(ANALYSIS, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !registry.includes(name))
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();
}

function expectUnique(values: readonly unknown[]): void {
  expect(new Set(values).size).toBe(values.length);
}

test('formats have ids and sniff orders of their own, and a folder named after the id', () => {
  expectUnique(ALL_FORMATS.map((f) => f.id));
  expectUnique(ALL_FORMATS.map((f) => f.sniffOrder));
  for (const { id } of ALL_FORMATS) expect(existsSync(join(ANALYSIS, 'formats', id, 'index.ts'))).toBe(true);
});

test('every metric has a file of its name, and every file is registered', () => {
  expectUnique(METRICS.map((m) => m.id));
  expect(METRICS.map((m) => m.id).sort()).toEqual(filesOf('metrics', 'index.ts', 'define-metric.ts'));
});

test('every file of a rule is registered once, and every bottleneck has a rule', () => {
  expectUnique(RULES.map((r) => r.id));
  expect(RULES).toHaveLength(filesOf('rules', 'index.ts', 'define-rule.ts').length);
  expect(new Set(RULES.map((r) => r.bottleneck))).toEqual(new Set(BOTTLENECKS));
});
