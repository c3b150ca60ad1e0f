import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { ProblemError } from '../../platform/errors';
import { Turnstile } from './turnstile';

/**
 * argon2id with the parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane; about 20 ms.
 * The library's default algorithm is argon2id.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Half of Node's four threads: files, names and compression keep the others. What waits is done within a second or so.
const mostAtOnce = 2;
const mostWaiting = 40;

/** Hashes and checks passwords, off the event loop, a few at a time however many are asked for. */
@Injectable()
export class Passwords {
  /** A hash of nothing that anybody knows, made with the same parameters. */
  private readonly decoy = hash(randomBytes(32), parameters);
  private readonly turnstile = new Turnstile(mostAtOnce, mostWaiting);

  /** A PHC string. Throws `sign-in-busy`. */
  async hash(password: string): Promise<string> {
    return this.turnstile.pass(() => hash(password, parameters), busy);
  }

  /**
   * Takes the same time whether or not there is a hash, so that time does not tell which accounts exist.
   * Throws `sign-in-busy`.
   */
  async matches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    const known = passwordHash ?? (await this.decoy);
    const matches = await this.turnstile.pass(() => verify(known, password), busy);
    return matches && typeof passwordHash === 'string';
  }
}

function busy(): ProblemError {
  const detail = `${mostAtOnce + mostWaiting} passwords are being checked already.`;
  return new ProblemError('sign-in-busy', detail, { retryAfterS: 2 });
}
