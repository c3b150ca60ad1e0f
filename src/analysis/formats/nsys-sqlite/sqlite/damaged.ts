/** The file breaks the rules of SQLite's file format; `message` is a clause for a person. */
export class DamagedDatabase extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DamagedDatabase';
  }
}
