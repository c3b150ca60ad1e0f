// Asks the registry for known weaknesses of the packages that are shipped. Serious ones fail. A registry that does not
// answer such questions cannot be asked: then this says so, and does not fail.
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  maxBuffer: 64 * 2 ** 20,
});
const report = parse(stdout);
const counts = report?.metadata?.vulnerabilities;
if (!counts) {
  const reason = report?.message ?? report?.error?.summary ?? 'no answer that can be read';
  console.log(`The audit could not be done here: ${String(reason).split('\n')[0].slice(0, 300)}`);
  process.exit(0);
}
console.log(
  `Known weaknesses: ${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low.`,
);
const serious = Object.values(report.vulnerabilities).filter(({ severity }) =>
  /^(high|critical)$/.test(severity),
);
for (const { name, severity, range } of serious) console.log(`  ${severity}: ${name} ${range}`);
process.exit(serious.length === 0 ? 0 : 1);

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
