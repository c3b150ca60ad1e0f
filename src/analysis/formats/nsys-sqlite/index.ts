import { type ArtifactFormat } from '../artifact-format';
import { readNsys } from './read-nsys';
import { isSqlite } from './sqlite/pages';

/** SQLite exports of NVIDIA Nsight Systems, schemas 2.9 to 3.25; other databases are refused with the reason. */
export const nsysSqliteFormat: ArtifactFormat = {
  id: 'nsys-sqlite',
  sniffOrder: 15,
  sniff: isSqlite,
  read: async (chunks, context) => ({ kind: 'timelines', ...(await readNsys(chunks, context)) }),
};
