import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type Schemas } from '../api/client';
import { ProblemError, toProblem } from '../api/problem';
import { session } from '../session/session';
import { ProblemAlert } from '../states/problem-alert';
import { save } from './save';

const KINDS = [
  { label: 'JSON', accept: 'application/json', ending: 'json' },
  { label: 'Markdown', accept: 'text/markdown', ending: 'md' },
] as const;

/** The whole report as a file. */
export function Downloads({ team, run }: { team: string; run: Schemas['Run'] }) {
  const download = useMutation({
    mutationFn: async ({ accept, ending }: (typeof KINDS)[number]) => {
      const request = new Request(run.links.report, { headers: { Accept: accept } });
      const response = await session.fetch(team, request);
      if (!response.ok) throw new ProblemError(toProblem(await response.json().catch(() => null), response));
      save(await response.blob(), `${run.model}-${run.id}.${ending}`);
    },
  });
  return (
    <div>
      <Group gap="xs">
        {KINDS.map((kind) => (
          <Button
            key={kind.label}
            size="xs"
            variant="default"
            loading={download.isPending && download.variables === kind}
            onClick={() => download.mutate(kind)}
          >
            Download {kind.label}
          </Button>
        ))}
      </Group>
      {download.error && <ProblemAlert error={download.error} mt="xs" />}
    </div>
  );
}
