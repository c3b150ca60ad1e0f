/** Longest name that is compared; templates of frameworks reach a few thousand characters. */
const MAX_NAME_CHARS = 4_000;

/**
 * A kernel's name in a form that Nsight Compute and the PyTorch profiler share: their demanglers differ in anonymous
 * namespaces, lambdas, literals, `const`, spaces, and in the arguments, which are left out. Equal forms are one kernel.
 */
export function canonicalKernelName(name: string): string {
  const plain = name
    .slice(0, MAX_NAME_CHARS)
    .replace(/\(anonymous namespace\)::|<unnamed>::|\bnative::/g, '')
    .replace(/\((?:int|bool|char|short|long|unsigned(?: \w+)?|\w+(?:::\w+)+)\)(?=-?\d)/g, '')
    .replace(/\bfalse\b/g, '0')
    .replace(/\btrue\b/g, '1')
    .replace(/\b(\d+)u?l{0,2}\b/g, '$1')
    .replace(/\bconst\b|\bvoid /g, '')
    .replace(/ \(instance (\d+)\)\]/g, '#$1')
    .replace(/[\s{}[\]]/g, '')
    .replace(/^at::/, '');
  return plain.slice(0, endOfTemplate(plain));
}

/** Where the arguments of the function begin: at the first parenthesis outside the template's brackets. */
function endOfTemplate(name: string): number {
  let depth = 0;
  for (let i = 0; i < name.length; i++) {
    if (name[i] === '<') depth++;
    else if (name[i] === '>') depth--;
    else if (name[i] === '(' && depth === 0 && i > 0) return i;
  }
  return name.length;
}
