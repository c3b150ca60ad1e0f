import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database';
import { ObjectNotFound, ObjectStore } from '../../platform/object-store';

const MARKER = 'installation';
const MARKER_BYTES = 64;

/**
 * Whose bucket it is. Looking for what no row leads to would, in a bucket that two installations share, delete the files of
 * the other one: so the first one writes its id there, and only that one looks.
 */
@Injectable()
export class BucketOwner {
  private readonly log = new Logger(BucketOwner.name);

  constructor(
    private readonly database: Database,
    private readonly objects: ObjectStore,
  ) {}

  /** Whether this installation owns the bucket; takes one that nobody owns. */
  async isOurs(): Promise<boolean> {
    const ours = await this.database.withoutTeam((scope) => scope.findInstallationId());
    if ((await this.readMarker()) === undefined)
      await this.objects.write(MARKER, bytesOf(ours), { maxBytes: MARKER_BYTES });
    // Of two that took it at once, one wrote last.
    const owner = await this.readMarker();
    if (owner === ours) return true;
    this.log.error(
      { owner, installation: ours },
      'the bucket belongs to another installation; nothing is looked for in it: give each installation a bucket of its own',
    );
    return false;
  }

  private async readMarker(): Promise<string | undefined> {
    try {
      const pieces: Buffer[] = [];
      for await (const piece of await this.objects.read(MARKER, { start: 0, end: MARKER_BYTES - 1 }))
        pieces.push(piece as Buffer);
      return Buffer.concat(pieces).toString();
    } catch (error) {
      if (error instanceof ObjectNotFound) return undefined;
      throw error;
    }
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
