import { z } from 'zod';
import { isProblem } from '../errors';
import { decodeCursor, encodeCursor } from './page-cursor';

const place = z.tuple([z.int(), z.uuid()]);
const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const question = { sort: 'createdAt', tags: ['a'] };
const refused = (text: string, asked: unknown = question) => {
  try {
    decodeCursor(text, asked, place);
    return false;
  } catch (error) {
    return isProblem(error, 'cursor-invalid');
  }
};

describe('a cursor', () => {
  it('gives its place back, and is one word', () => {
    const text = encodeCursor([7, id], question);
    expect(text).toMatch(/^[\w-]+$/);
    expect(decodeCursor(text, question, place)).toEqual([7, id]);
  });

  it('is refused for another question', () => {
    const text = encodeCursor([7, id], question);
    expect(refused(text, { ...question, tags: [] })).toBe(true);
  });

  it.each([
    '',
    'x',
    '%00',
    '\u0000',
    'null',
    'a'.repeat(100_000),
    id,
    ...['[]', '{}', '"x"', '[1,2,3]', `["x",[7,"${id}"]]`, '{"0":1}', '['.repeat(200)].map((json) =>
      Buffer.from(json).toString('base64url'),
    ),
    encodeCursor([7.5, id], question),
    encodeCursor([7, "' OR 1=1"], question),
  ])('is refused when it was made up (%#)', (text) => {
    expect(refused(text)).toBe(true);
  });
});
