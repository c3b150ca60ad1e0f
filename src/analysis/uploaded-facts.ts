import { type RunMetadata } from './formats/artifact-format';
import { flattenFacts } from './trends/configuration-change';

/** A job that dumps its whole environment hands over credentials with it; reports are read by more people than files. */
const SECRET = /(^|[._])(SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIALS?|API_?KEY|ACCESS_KEY|PRIVATE_KEY)(_|$)/i;

/** What the uploaded metadata says of the run, flat, of the first rank that says something; without what looks like a secret. */
export function uploadedFacts(metadata: readonly RunMetadata[]): Record<string, string> {
  const [first] = metadata
    .filter(({ origin }) => origin === 'uploaded')
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const facts = Object.entries(flattenFacts(first?.raw ?? {}));
  return Object.fromEntries(facts.filter(([name]) => !SECRET.test(name)));
}
