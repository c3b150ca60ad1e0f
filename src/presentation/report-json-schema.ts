import { z } from 'zod';
import { REPORT_SCHEMA_VERSION } from '../analysis';
import { reportSchema } from './present-report';

/** The report as JSON Schema (2020-12), for those who read it in other languages. */
export function reportJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(reportSchema, { target: 'draft-2020-12', io: 'output' });
  return { ...schema, $id: `urn:stallscope:report:${REPORT_SCHEMA_VERSION}`, title: 'Stallscope report' };
}
