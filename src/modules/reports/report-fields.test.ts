import { reportSchema, type Report } from '../../presentation';
import { REPORT_FIELDS, reportFieldsParameter, selectFields, unneededFor } from './report-fields';

const report = {
  ...Object.fromEntries(Object.keys(reportSchema.shape).map((name) => [name, name])),
  ranks: [{ rank: 0, steps: [{ index: 1 }] }],
} as unknown as Report;
const keysOf = (fields: string[] | undefined) => Object.keys(selectFields(report, fields)).sort();

describe('fields of a report', () => {
  it('are all of it when none are named', () => {
    expect(selectFields(report, undefined)).toBe(report);
    expect(unneededFor(undefined)).toEqual([]);
  });

  it('are those that are named, and what names the report', () => {
    expect(keysOf(['metrics', 'verdict'])).toEqual([
      'analysisVersion',
      'metrics',
      'schemaVersion',
      'verdict',
    ]);
    expect(unneededFor(['metrics', 'verdict'])).toContain('ranks');
  });

  it('give ranks with or without steps', () => {
    expect(selectFields(report, ['ranks']).ranks).toEqual([{ rank: 0 }]);
    expect(selectFields(report, ['steps']).ranks).toBe(report.ranks);
    expect(selectFields(report, ['ranks', 'steps']).ranks).toBe(report.ranks);
    expect(unneededFor(['steps'])).not.toContain('ranks');
  });

  it('may be named in any order and twice, and only those that there are', () => {
    expect(reportFieldsParameter.parse('verdict, metrics,verdict')).toEqual(['verdict', 'metrics']);
    expect(reportFieldsParameter.parse(REPORT_FIELDS.join(','))).toEqual(REPORT_FIELDS);
    for (const wrong of ['', 'nope', 'verdict,,metrics', '__proto__', 'constructor']) {
      const { error } = reportFieldsParameter.safeParse(wrong);
      expect(error?.issues[0].message).toMatch(/the fields are verdict, .*steps/);
    }
  });
});
