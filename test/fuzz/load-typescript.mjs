import { transformFile } from '@swc/core';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Loads a module of this folder that is shared with the unit tests; it must import nothing but Node. */
export async function loadTypeScript(name) {
  const { code } = await transformFile(join(ROOT, 'test/fuzz', name), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'es6' },
  });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
