import { Button, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { formatBytes } from '../../../src/presentation/quantity';
import { type Schemas } from '../api/client';
import { FigureCell } from '../report/figure-cell';
import { save } from '../report/save';
import { Section } from '../report/section';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { WideTable } from '../states/wide-table';
import { artifactsQuery } from './artifacts-query';
import { type Artifact, fetchOriginal } from './original';
import { whyNot } from './perfetto';
import { type Perfetto } from './use-perfetto';

const ABOUT =
  'As they were uploaded. Open in Perfetto hands a trace from this browser to the page ui.perfetto.dev in another ' +
  'window; neither Stallscope nor Perfetto uploads it anywhere.';

interface Props {
  team: string;
  run: Schemas['Run'];
  perfetto: Perfetto;
}

/** The files of a run: what they are, and ways to have them back. */
export function RunFiles({ team, run, perfetto }: Props) {
  const { data, error, refetch } = useQuery(artifactsQuery(team, run));
  const download = useMutation({
    mutationFn: async (artifact: Artifact) => {
      const response = await fetchOriginal(team, run.id, artifact);
      save(await response.blob(), artifact.name);
    },
  });
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  if (!data) return <Loading what="Loading the files" />;
  if (data.items.length === 0) return null;
  const more = run.artifactCount - data.items.length;
  return (
    <Section title="Files" about={ABOUT}>
      {download.error && <ProblemAlert error={download.error} mb="xs" />}
      <WideTable label="Files">
        <Table verticalSpacing={4} fz="sm" miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Name</Table.Th>
              <Table.Th>Format</Table.Th>
              <Table.Th ta="right">Size</Table.Th>
              {/* What is hidden stays inside of what is scrolled. */}
              <Table.Th pos="relative">
                <VisuallyHidden>Ways to have it</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.items.map((file) => (
              <Table.Tr key={file.id}>
                <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
                  {file.name}
                </Table.Th>
                <Table.Td>{file.format ?? 'not read'}</Table.Td>
                <FigureCell>{formatBytes(file.sizeBytes)}</FigureCell>
                <Table.Td>
                  <Group gap={6} wrap="nowrap" justify="flex-end">
                    <Ways
                      file={file}
                      perfetto={perfetto}
                      isDownloading={download.isPending && download.variables.id === file.id}
                      download={() => download.mutate(file)}
                    />
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
      {more > 0 && (
        <Text size="sm">
          {more} more files are not shown; GET /v1/runs/{'{id}'}/artifacts lists all.
        </Text>
      )}
    </Section>
  );
}

interface WaysProps {
  file: Artifact;
  perfetto: Perfetto;
  isDownloading: boolean;
  download: () => void;
}

function Ways({ file, perfetto, isDownloading, download }: WaysProps) {
  if (file.state === 'awaitingUpload') return 'not uploaded';
  if (file.state === 'rejected') return 'rejected';
  const reason = whyNot(file);
  return (
    <>
      {reason === null ? (
        <Button
          size="compact-xs"
          variant="default"
          disabled={perfetto.isOpening}
          aria-label={`Open in Perfetto: ${file.name}`}
          onClick={() => perfetto.open(file)}
        >
          Open in Perfetto
        </Button>
      ) : (
        file.format === 'kineto' && (
          <Text span size="xs" c="dimmed">
            {reason}
          </Text>
        )
      )}
      <Button
        size="compact-xs"
        variant="default"
        loading={isDownloading}
        aria-label={`Download ${file.name}`}
        onClick={download}
      >
        Download
      </Button>
    </>
  );
}
