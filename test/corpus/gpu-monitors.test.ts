import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { takersOf } from '../builders/read-format';
import { readMonitor } from '../builders/read-monitor';
import { CORPUS, withCorpus } from './corpus-folder';

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const OWN = new Set(['gpu-monitor', 'training-log', 'trainer-state', 'step-times']);
/** Files of these formats, by their name in the corpus. */
const EXPECTED = /\/(?:dmon\.log|nvidia-smi\.csv|step_times\.rank\d+\.jsonl)$|\/train-log\//;

withCorpus(() => {
  const files = filesBelow(CORPUS);

  test('every monitor of the recorded runs is read to its last row', async () => {
    const monitors = files.filter((path) => /\/(?:dmon\.log|nvidia-smi\.csv)$/.test(path));
    expect(monitors.length).toBeGreaterThan(50);
    for (const path of monitors) {
      const text = readFileSync(path, 'utf8');
      const rows = text.split('\n').filter((line) => /^ ?2026/.test(line)).length;
      const { monitor, problems } = await readMonitor(text, path);
      expect([path, monitor.devices.reduce((sum, device) => sum + device.sampleCount, 0)]).toEqual([
        path,
        rows,
      ]);
      expect([path, problems.list()]).toEqual([path, []]);
    }
  });

  test('each file of the corpus is taken by one format at most, and ours by none but theirs', () => {
    for (const path of files) {
      const takers = takersOf(readFileSync(path).subarray(0, 65_536));
      const own = takers.filter((id) => OWN.has(id));
      expect([path, own.length]).toEqual([path, EXPECTED.test(path) ? 1 : 0]);
      if (own.length > 0) expect([path, takers.length]).toEqual([path, 1]);
    }
  });
});
