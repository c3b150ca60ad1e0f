import { artifactNameProblem } from './artifact-name';

describe('artifact names', () => {
  it.each([
    'rank0.pt.trace.json.gz',
    'rank 0/trace.json',
    'ränge/трасса.json',
    '日本語.json',
    '...json',
    'a..b/c',
    '-x',
  ])('takes %s', (name) => {
    expect(artifactNameProblem(name)).toBeUndefined();
  });

  it.each([
    ['', 'empty'],
    ['x'.repeat(301), '300'],
    ['../etc/passwd', '".."'],
    ['a/../../b', '".."'],
    ['a/..', '".."'],
    ['./a', '"."'],
    ['a//b', 'empty path'],
    ['a/', 'empty path'],
    ['/etc/passwd', 'relative'],
    ['C:/windows', 'relative'],
    ['..\\..\\a', 'backslash'],
    ['a\u0000b', 'control'],
    ['a\nb', 'control'],
    ['a\u0085b', 'control'],
    ['a\u2028b', 'control'],
    ['a\ud800b', 'control'],
    ['a\u202ecod.exe', 'control'],
  ])('refuses %j', (name, reason) => {
    expect(artifactNameProblem(name)).toContain(reason);
  });
});
