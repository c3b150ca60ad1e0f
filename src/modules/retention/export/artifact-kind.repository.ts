import { type ObjectStore } from '../../../platform/object-store';
import { type ExportKind, ROWS_PER_PAGE, toPage } from './export-kind';

/** Long enough to fetch much, short enough for an export that lies about somewhere. */
export const DOWNLOAD_URL_TTL_S = 24 * 3600;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface ArtifactRow {
  id: string;
  runId: string;
  name: string;
  sizeBytes: number;
  sha256: string;
  state: string;
  createdAt: Date;
  objectKey: string;
}

/** The files of a team, each with a URL to fetch it by while it is there. */
export function artifactKind(objects: ObjectStore): ExportKind {
  return {
    kind: 'artifact',
    readPage: async ({ teamId, $queryRaw }, after) => {
      const [key, id] = after === undefined ? ['', FIRST_ID] : (JSON.parse(after) as string[]);
      const rows = await $queryRaw<ArtifactRow[]>`
        SELECT id, run_id AS "runId", name, size_bytes::float8 AS "sizeBytes", sha256, state::text AS state,
          created_at AS "createdAt", object_key AS "objectKey"
        FROM artifacts WHERE team_id = ${teamId}::uuid AND (object_key, id) > (${key}, ${id}::uuid)
        ORDER BY object_key, id LIMIT ${ROWS_PER_PAGE}`;
      const last = rows.at(-1);
      const records = await Promise.all(rows.map((row) => withUrl(objects, row)));
      const { next } = toPage(rows, () => JSON.stringify([last?.objectKey, last?.id]));
      return { records: records.map((record) => JSON.stringify(record)), next };
    },
  };
}

async function withUrl(objects: ObjectStore, { objectKey, ...artifact }: ArtifactRow) {
  const isStored = artifact.state === 'uploaded' || artifact.state === 'verified';
  const downloadUrl = isStored
    ? await objects.presignGet(objectKey, artifact.name, DOWNLOAD_URL_TTL_S)
    : null;
  return { ...artifact, downloadUrl };
}
