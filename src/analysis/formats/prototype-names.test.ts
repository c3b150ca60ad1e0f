import { readText, takersOf } from '../../../test/builders/read-format';
import { speedscopeFormat } from './speedscope';

test('a line that is called like a member of every object makes no monitor of a training log', () => {
  expect(takersOf('constructor\niter 0: loss 10.9, time 320.5ms\n')).toEqual(['training-log']);
  for (const header of ['constructor', '# gpu constructor', 'gpu,toString'])
    expect(takersOf(`${header}\n0 1\n`)).toEqual([]);
});

test('a unit of that name is no time', async () => {
  const shared = { frames: [{ name: 'main' }] };
  const profile = { type: 'sampled', name: 'MainThread', unit: 'constructor', samples: [[0]], weights: [2] };
  const text = JSON.stringify({ shared, profiles: [profile] });
  const { content } = await readText(text, 'a.speedscope.json', speedscopeFormat);
  expect(content).toMatchObject({ profile: { unit: 'samples', threads: [{ weight: 2 }] } });
});
