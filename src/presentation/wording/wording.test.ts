import { METRICS } from '../../analysis/metrics';
import { RULES } from '../../analysis/rules';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CAUSE_WORDING } from './causes';
import { FINDING_WORDING } from './findings';
import { FIX_WORDING } from './fixes';
import { METRIC_WORDING } from './metrics';
import { RULE_DESCRIPTIONS } from './rules';

test('every rule has its words, and no words are left of a rule that is gone', () => {
  expect(Object.keys(FINDING_WORDING).sort()).toEqual(RULES.map((rule) => rule.id).sort());
});

test('every rule and every metric is described in the catalogues', () => {
  expect(Object.keys(RULE_DESCRIPTIONS).sort()).toEqual(RULES.map((rule) => rule.id).sort());
  expect(Object.keys(METRIC_WORDING).sort()).toEqual(METRICS.map((metric) => metric.id).sort());
});

test.each([
  ['fix', FIX_WORDING],
  ['cause', CAUSE_WORDING],
])('every %s that a rule can give has its words, and the other way round', (what, wording) => {
  const folder = join(__dirname, '../../analysis/rules');
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const used = sources.flatMap((source) =>
    [...source.matchAll(new RegExp(`\\b${what}\\('([a-z0-9-]+)'`, 'g'))].map((match) => match[1]),
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(wording).sort());
});
