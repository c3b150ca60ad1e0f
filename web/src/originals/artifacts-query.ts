import { queryOptions } from '@tanstack/react-query';
import { type Schemas } from '../api/client';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';

/** Files that a page lists; the API gives the others page by page. */
const FILES = 200;

/** The files of a run with what they were read as; asked again when they or the report change. */
export const artifactsQuery = (team: string, run: Pick<Schemas['Run'], 'id' | 'generation' | 'state'>) =>
  queryOptions({
    queryKey: [team, 'run', run.id, 'artifacts', run.generation, run.state],
    queryFn: ({ signal }) => {
      const params = { path: { id: run.id }, query: { limit: FILES } };
      return unwrap(teamApi(team).GET('/v1/runs/{id}/artifacts', { params, signal }));
    },
  });
