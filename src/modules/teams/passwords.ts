import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';

/**
 * argon2id with the parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane; about 20 ms.
 * The library's default algorithm is argon2id.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes and checks passwords, off the event loop. */
@Injectable()
export class Passwords {
  /** A hash of nothing that anybody knows, made with the same parameters. */
  private readonly decoy = hash(randomBytes(32), parameters);

  /** A PHC string. */
  async hash(password: string): Promise<string> {
    return hash(password, parameters);
  }

  /** Takes the same time whether or not there is a hash, so that time does not tell which accounts exist. */
  async matches(passwordHash: string | null | undefined, password: string): Promise<boolean> {
    const matches = await verify(passwordHash ?? (await this.decoy), password);
    return matches && typeof passwordHash === 'string';
  }
}
