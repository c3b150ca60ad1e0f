import { z } from 'zod';
import { isPrintableLine } from '../../platform/http';

const MAX_VARIABLES = 200;
const MAX_VALUE_CHARS = 1_000;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,199}$/;
/** A job that dumps its whole environment would hand over credentials with it. */
const SECRET = /(^|_)(SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIALS?|API_?KEY|ACCESS_KEY|PRIVATE_KEY)(_|$)/i;

/** Environment variables of a run: names of any system, values of one line, no secrets. */
export const environmentSchema = z
  .record(z.string(), z.string().max(MAX_VALUE_CHARS))
  .superRefine((variables, context) => {
    const refuse = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', message, path });
    const entries = Object.entries(variables);
    if (entries.length > MAX_VARIABLES) refuse(`must have at most ${MAX_VARIABLES} variables`);
    for (const [name, value] of entries.slice(0, MAX_VARIABLES)) {
      if (!NAME.test(name)) refuse(`${JSON.stringify(name.slice(0, 50))} is no name of a variable`);
      else if (SECRET.test(name)) refuse('looks like a secret; leave it out', [name]);
      else if (!isPrintableLine(value))
        refuse('must not contain control characters or broken Unicode', [name]);
    }
  });
