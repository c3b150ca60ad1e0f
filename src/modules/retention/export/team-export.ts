import { Injectable } from '@nestjs/common';
import { type Actor } from '../../../platform/audit';
import { ProblemError } from '../../../platform/errors';
import { ObjectStore } from '../../../platform/object-store';
import { artifactKind } from './artifact-kind.repository';
import { type ExportKind } from './export-kind';
import { ExportRepository } from './export.repository';
import { peopleKinds } from './people-kinds.repository';
import { runKinds } from './run-kinds.repository';
import { trendKinds } from './trend-kinds.repository';

/** Changes with incompatible changes of the lines. */
const FORMAT_VERSION = 1;

/** Everything that a team has, as lines of JSON, made as fast as they are taken: memory holds a page or two. */
@Injectable()
export class TeamExport {
  private readonly kinds: readonly ExportKind[];

  constructor(
    private readonly repository: ExportRepository,
    objects: ObjectStore,
  ) {
    this.kinds = [...peopleKinds, ...runKinds, ...trendKinds, artifactKind(objects)];
  }

  /** Notes in the audit log who takes the data, and gives the lines. Throws `not-found` when the team is closed. */
  async begin(teamId: string, actor: Actor): Promise<{ slug: string; lines: AsyncGenerator<string> }> {
    const slug = await this.repository.begin(teamId, actor);
    if (slug === undefined)
      throw new ProblemError('not-found', 'The team of this credential does not exist any more.');
    return { slug, lines: this.lines(teamId, slug) };
  }

  /** Each text has whole lines. The last line is of kind `end`; an export without it is not complete. */
  private async *lines(teamId: string, slug: string): AsyncGenerator<string> {
    const startedAt = new Date().toISOString();
    yield toLine({ kind: 'start', version: FORMAT_VERSION, team: slug, startedAt });
    const counts: Record<string, number> = {};
    for (const kind of this.kinds) {
      counts[kind.kind] = 0;
      for await (const records of this.pages(teamId, kind)) {
        counts[kind.kind] += records.length;
        yield records.map((record) => `{"kind":"${kind.kind}","record":${record}}\n`).join('');
      }
    }
    // Rows that went away with the team must not look like a team that had few.
    if (!(await this.repository.isOpen(teamId)))
      throw new Error('The team was deleted while it was exported.');
    yield toLine({ kind: 'end', complete: true, counts, endedAt: new Date().toISOString() });
  }

  private async *pages(teamId: string, kind: ExportKind): AsyncGenerator<string[]> {
    let after: string | undefined;
    do {
      const page = await this.repository.readPage(teamId, kind, after);
      if (page.records.length > 0) yield page.records;
      after = page.next;
    } while (after !== undefined);
  }
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
