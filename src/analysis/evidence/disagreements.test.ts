import { disagreementOf } from './disagreements';

test.each([
  ['nobody says anything', [{ source: 'a', value: null }]],
  [
    'all agree',
    [
      { source: 'a', value: 100 },
      { source: 'b', value: 104 },
    ],
  ],
  [
    'the second says nothing',
    [
      { source: 'a', value: 100 },
      { source: 'b', value: null },
    ],
  ],
])('none: %s', (_, statements) => {
  expect(disagreementOf('step-time', statements)).toBeNull();
});

test('the first that says something is believed; who says the same twice is told once', () => {
  const statements = [
    { source: 'a', value: null },
    { source: 'b', value: 100 },
    { source: 'c', value: 150 },
    { source: 'c', value: 150 },
    { source: 'd', value: 101 },
  ];
  expect(disagreementOf('step-time', statements)).toEqual({
    ...{ subject: 'step-time', unit: 'ns', believed: { source: 'b', value: 100 } },
    others: [{ source: 'c', value: 150 }],
  });
});

test('names are compared without case, counts exactly', () => {
  const say = (...values: (string | number)[]) => values.map((value, i) => ({ source: `s${i}`, value }));
  expect(disagreementOf('gpu', say('H200', 'h200'))).toBeNull();
  expect(disagreementOf('gpu', say('h200', 'b200'))?.others).toEqual([{ source: 's1', value: 'b200' }]);
  expect(disagreementOf('world-size', say(8, 16))?.unit).toBe('count');
});
