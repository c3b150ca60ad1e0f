import { attributionRows } from '../../../test/builders/attribution-row';

/** Expects that the row `=` of a drawing is the attribution of the rest. */
function expectAttribution(drawing: string): void {
  const { expected, actual } = attributionRows(drawing);
  expect(actual).toBe(expected);
}

test('a busy device has no idle time, whatever the host does', () => {
  expectAttribution(`
    step    1.........
    op       ooo ooo
    launch  a
    load       llll
    kernel  aaaaaaaaaa
    =       CCCCCCCCCC
  `);
});

test('the device waits for the loader', () => {
  expectAttribution(`
    step    1..............
    load    llllll
    op            ooo
    launch        a b
    kernel         aaa bbbb
    =       iiiiiigCCCdCCCC
  `);
});

test('a kernel that was launched late makes a launch gap, one that was launched in time a dependency', () => {
  expectAttribution(`
    step    1...............
    op      oooooooooo
    launch  a    b c
    kernel   aaa  bbb    ccc
    =       gCCCggCCCddddCCC
  `);
});

test('short stretches of Python between operators belong to launching, long ones are work of their own', () => {
  expectAttribution(`
    step    1..........................................................
    op      oo   oo                                               oo
    launch  a     b                                                c
    kernel   aaa   bbb                                              ccc
    =       gCCCgggCCChhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhggCCC
  `);
});

test('a waiting call costs at most the time that it kept the host', () => {
  // The call lasts five columns: one of them in the gap, four more of the lateness that follows.
  expectAttribution(`
    step    1.....................
    op      oo      oooooooooo
    launch  a              b
    sync      sssss
    kernel   aaaaa          bbbbbb
    =       gCCCCCsssssgggggCCCCCC
  `);
});

test('allocator calls are charged with the bookkeeping around them, up to the neighbouring events', () => {
  expectAttribution(`
    step    1.............
    op      ooooooooooo
    launch  a       b
    alloc       aaa
    kernel   aa      bbbbb
    =       gCCaaaaagCCCCC
  `);
});

test('a pageable copy is input, from its call to its start', () => {
  expectAttribution(`
    step    1..............
    op      oooooooo
    launch  cccc    k
    h2dp       cccc
    kernel           kkkkkk
    =       iiiMMMMggCCCCCC
  `);
});

test('compute hides communication, both hide copies', () => {
  expectAttribution(`
    step    1............
    launch  abc
    kernel   aaaaa
    comm        bbbbbb
    d2d           ccccccc
    =       gCCCCCXXXXMMM
  `);
});

test('kernels that overlap on one stream are a union, never a sum', () => {
  expectAttribution(`
    step    1.........
    launch  ab
    kernel   aaaaaa
    other       bbbbbb
    =       gCCCCCCCCC
  `);
});

test('idle time before an operation without a launch in the file is unexplained', () => {
  expectAttribution(`
    step    1.............
    kernel          xxxxxx
    =       uuuuuuuuCCCCCC
  `);
});

test('after the last launch of a trace, the host is late with the next one', () => {
  expectAttribution(`
    step    1..................................................
    op      ooo
    launch  a
    kernel   aaa
    =       gCCChhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh
  `);
});
