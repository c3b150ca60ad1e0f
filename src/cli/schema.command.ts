import { type Command } from 'commander';
import { reportJsonSchema } from '../presentation';

/** `stallscope schema`: the JSON Schema of what `analyze --json` prints and the API answers. */
export function addSchemaCommand(program: Command): void {
  program
    .command('schema')
    .description('print the JSON Schema of a report')
    .action(() => {
      process.stdout.write(`${JSON.stringify(reportJsonSchema(), null, 2)}\n`);
    });
}
