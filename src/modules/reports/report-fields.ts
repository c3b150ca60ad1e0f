import { z } from 'zod';
import { reportSchema, type Report } from '../../presentation';

/** These name the report and are in every answer. */
const ALWAYS = ['schemaVersion', 'analysisVersion'] as const;

/** What clients can choose: the properties of a report, and `steps`, which makes `ranks` carry their steps. */
export const REPORT_FIELDS: readonly string[] = [
  ...Object.keys(reportSchema.shape).filter((name) => !(ALWAYS as readonly string[]).includes(name)),
  'steps',
];

/** The heavy properties; they are not even read from the database when nobody asks for them. */
const HEAVY = ['ranks', 'roofline', 'advice', 'communication', 'topKernels'] as const;

/** Properties of a report, separated by commas; in the order of the schema whatever the order of the client. */
export const reportFieldsParameter = z
  .string()
  .max(500)
  .transform((text, context): string[] => {
    const asked = text.split(',').map((name) => name.trim());
    const unknown = asked.filter((name) => !REPORT_FIELDS.includes(name));
    if (unknown.length === 0) return REPORT_FIELDS.filter((name) => asked.includes(name));
    context.addIssue({
      code: 'custom',
      message: `has unknown fields (${unknown.join(', ').slice(0, 100)}); the fields are ${REPORT_FIELDS.join(', ')}`,
    });
    return z.NEVER;
  })
  .describe(
    `Only these properties, separated by commas, and those that name the report: ${REPORT_FIELDS.join(', ')}. ` +
      '`ranks` are without their steps unless `steps` is asked for too; `steps` alone gives ranks with steps. All when left out.',
  )
  .meta({ example: 'verdict,metrics,findings' });

/** Properties that need not be read for these fields; none when all are wanted. */
export function unneededFor(fields: readonly string[] | undefined): string[] {
  if (!fields) return [];
  return HEAVY.filter((name) => !fields.includes(name) && !(name === 'ranks' && fields.includes('steps')));
}

/** The chosen properties of a report, the ones that name it included. */
export function selectFields(report: Report, fields: readonly string[] | undefined): Partial<Report> {
  if (!fields) return report;
  const { ranks, ...others } = report;
  const wanted = new Set<string>([...ALWAYS, ...fields]);
  const selected = Object.fromEntries(Object.entries(others).filter(([name]) => wanted.has(name)));
  if (fields.includes('steps')) return { ...selected, ranks };
  if (!fields.includes('ranks')) return selected;
  // Without the property, rather than empty: no steps would mean that there were none.
  const bare = ranks.map(({ steps: _, ...rank }) => rank);
  return { ...selected, ranks: bare as Report['ranks'] };
}
