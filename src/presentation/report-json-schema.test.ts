import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportJsonSchema } from './report-json-schema';

test('the published JSON Schema is the one of the code (node bin/stallscope.js schema > report.schema.json)', () => {
  const published: unknown = JSON.parse(readFileSync(join(__dirname, '../../report.schema.json'), 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(reportJsonSchema())));
});
