import { chooseKernels, type Kernel } from './sort-kernels';

const kernel = (name: string, kind: string, count: number, totalNs: number): Kernel => ({
  ...{ name, kind, count, totalNs, rank: null },
});
const KERNELS = [
  kernel('nvjet_a', 'gemm', 2, 100),
  kernel('copy_b', 'copy', 50, 90),
  kernel('copy_c', 'copy', 1, 80),
  kernel('Add_d', 'elementwise', 3, 70),
];
const all = { text: '', kind: '', sort: 'time', isGrouped: false } as const;
const names = (choice: Parameters<typeof chooseKernels>[1]) =>
  chooseKernels(KERNELS, choice).map(({ name }) => name);

test.each([
  ['time', ['nvjet_a', 'copy_b', 'copy_c', 'Add_d']],
  ['launches', ['copy_b', 'Add_d', 'nvjet_a', 'copy_c']],
  ['each', ['copy_c', 'nvjet_a', 'Add_d', 'copy_b']],
  ['name', ['Add_d', 'copy_b', 'copy_c', 'nvjet_a']],
] as const)('kernels by %s', (sort, wanted) => expect(names({ ...all, sort })).toEqual(wanted));

test('those of the class that takes longest stand first, in the chosen order within it', () => {
  expect(names({ ...all, isGrouped: true })).toEqual(['copy_b', 'copy_c', 'nvjet_a', 'Add_d']);
  expect(names({ ...all, isGrouped: true, sort: 'each' })[0]).toBe('copy_c');
});

test('a text and a class choose', () => {
  expect(names({ ...all, text: 'ADD' })).toEqual(['Add_d']);
  expect(names({ ...all, kind: 'copy', text: '_c' })).toEqual(['copy_c']);
  expect(names({ ...all, text: 'nothing' })).toEqual([]);
});
