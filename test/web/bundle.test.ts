import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensureWebBuilt } from '../harness/build';

/** What the page of runs may load before it works, bytes of gzipped JavaScript. */
const MOST_INITIAL_BYTES = 250_000;

interface Chunk {
  file: string;
  imports?: string[];
  isEntry?: boolean;
}

let web: string;
let manifest: Record<string, Chunk>;

beforeAll(async () => {
  web = await ensureWebBuilt();
  manifest = JSON.parse(readFileSync(join(web, '.vite', 'manifest.json'), 'utf8')) as typeof manifest;
}, 180_000);

/** The chunk and all that it imports before it runs. */
function loadedWith(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of manifest[name].imports ?? []) loadedWith(next, seen);
  return seen;
}

describe('the pages', () => {
  it('load no more than 250 kB of JavaScript before the runs show', () => {
    const [entry] = Object.keys(manifest).filter((name) => manifest[name].isEntry);
    const files = [...loadedWith(entry)].map((name) => readFileSync(join(web, manifest[name].file)));
    const sizeBytes = files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
    expect(sizeBytes).toBeGreaterThan(50_000);
    expect(sizeBytes).toBeLessThanOrEqual(MOST_INITIAL_BYTES);
  });

  it('load charts only where there is one', () => {
    for (const chart of ['src/report/stacked-bars.tsx', 'src/report/details/roofline-chart.tsx']) {
      expect(manifest[chart]).toBeDefined();
      for (const page of ['index.html', 'src/report/report-page.tsx'])
        expect(loadedWith(page)).not.toContain(chart);
    }
  });

  it('have no script in the document, which the content security policy would stop', () => {
    const html = readFileSync(join(web, 'index.html'), 'utf8');
    expect(html.match(/<script(?![^>]* src=)/g)).toBeNull();
    expect(html).not.toMatch(/ on\w+=/);
  });
});
