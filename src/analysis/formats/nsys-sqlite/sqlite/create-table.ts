import { DamagedDatabase } from './damaged';

/** The columns of a table, as its CREATE TABLE statement names them. */
export interface TableColumns {
  /** In the order in which rows hold them. */
  names: string[];
  /** Index of the column that stands for the row id (INTEGER PRIMARY KEY), or -1; rows leave its value out. */
  rowIdColumn: number;
}

/** Quoted names, text, comments, words, and single characters. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)(?:\]|$)|'(?:[^']|'')*'|[\w$\u0080-\uffff]+|\S/g;
const TABLE_CONSTRAINT = /^(CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)$/i;

interface Token {
  text: string;
  quoted: boolean;
}

/**
 * Reads the columns of an ordinary table out of its statement. Refuses, as `DamagedDatabase`, what Nsight Systems never
 * writes and would be computed when read: generated columns, virtual tables, tables without row ids.
 */
export function parseCreateTable(sql: string): TableColumns {
  const tokens = tokenize(sql);
  const open = tokens.findIndex(({ text, quoted }) => text === '(' && !quoted);
  const isPlain = /^CREATE (TEMP |TEMPORARY )?TABLE /i.test(words(tokens.slice(0, 3)));
  if (!isPlain || open < 0) throw new DamagedDatabase('a table is not an ordinary one');
  const { definitions, rest } = splitDefinitions(tokens.slice(open + 1));
  if (/WITHOUT/i.test(words(rest))) throw new DamagedDatabase('a table has no row ids');
  const columns = definitions.filter(([first]) => first.quoted || !TABLE_CONSTRAINT.test(first.text));
  for (const [name, ...definition] of columns)
    if (definition.some(({ text, quoted }) => !quoted && /^(GENERATED|AS)$/i.test(text)))
      throw new DamagedDatabase(`its column "${name.text.slice(0, 64)}" is computed`);
  return {
    names: columns.map(([name]) => name.text),
    rowIdColumn: columns.findIndex(([, ...definition]) => /^INTEGER .*PRIMARY KEY/i.test(words(definition))),
  };
}

function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const match of sql.matchAll(TOKEN)) {
    if (match[0].startsWith('--') || match[0].startsWith('/*')) continue;
    const name = match[1] ?? match[2] ?? match[3];
    tokens.push({ text: name ?? match[0], quoted: name !== undefined });
  }
  return tokens;
}

/** The parts between the commas of the outermost parentheses, and what follows them. */
function splitDefinitions(tokens: readonly Token[]): { definitions: Token[][]; rest: Token[] } {
  const definitions: Token[][] = [];
  let current: Token[] = [];
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    const mark = token.quoted ? '' : token.text;
    if (depth === 0 && (mark === ',' || mark === ')')) {
      if (current.length > 0) definitions.push(current);
      current = [];
      if (mark === ')') return { definitions, rest: tokens.slice(i + 1) };
      continue;
    }
    if (mark === '(') depth++;
    if (mark === ')') depth--;
    current.push(token);
  }
  throw new DamagedDatabase('the definition of a table has no end');
}

function words(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join(' ') + ' ';
}
