import { Anchor, Badge, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatNs } from '../../../src/presentation/quantity';
import { FigureCell } from '../report/figure-cell';
import { reportAddress } from '../session/addresses';
import { WideTable } from '../states/wide-table';
import { type Rung } from './ladder-queries';
import { PANEL_COLUMNS, panelFigure, speedupText, VERDICT_COLORS, VERDICT_WORDS } from './rung-figures';

/** Changes of a rung that are named; the rest is counted. */
const MOST_CHANGES = 4;

interface Props {
  team: string;
  rungs: readonly Rung[];
}

/** A rung is a row, the baseline first; below it what changed, and what to be careful with. */
export function RungTable({ team, rungs }: Props) {
  return (
    <>
      <WideTable label="Rungs">
        <Table verticalSpacing="xs" miw={900}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Rung</Table.Th>
              <Table.Th ta="right">Step time</Table.Th>
              <Table.Th ta="right">Gain</Table.Th>
              <Table.Th ta="right">In all</Table.Th>
              {PANEL_COLUMNS.map(({ title }) => (
                <Table.Th key={title} ta="right">
                  {title}
                </Table.Th>
              ))}
              <Table.Th>Verdict</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rungs.map((rung, i) => (
              <RungRow key={i} team={team} rung={rung} place={i} />
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
      <Notes rungs={rungs} />
    </>
  );
}

function RungRow({ team, rung, place }: { team: string; rung: Rung; place: number }) {
  const { label, run, step, speedup, cumulativeSpeedup, verdict, verdictText, changes, warning } = rung;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td miw={240} maw={420} style={{ overflowWrap: 'anywhere' }}>
        <Text span c="dimmed" className="figures">
          {place}
        </Text>{' '}
        {run ? (
          <Anchor component={Link} to={reportAddress(team, run.id)} fw={600}>
            {label}
          </Anchor>
        ) : (
          <Text span fw={600}>
            {label} <Badge color="gray">Run deleted</Badge>
          </Text>
        )}
        {run && <Changes changes={changes} />}
        {warning && (
          <Text size="sm" c="var(--mantine-color-error)">
            Careful: {warning}.
          </Text>
        )}
      </Table.Td>
      <FigureCell>{step ? formatNs(step.ns) : <Unknown />}</FigureCell>
      <FigureCell>{speedup === null ? <Unknown /> : speedupText(speedup)}</FigureCell>
      <FigureCell>{cumulativeSpeedup === null ? <Unknown /> : speedupText(cumulativeSpeedup)}</FigureCell>
      {PANEL_COLUMNS.map(({ title, ids }) => {
        const { text, reason } = panelFigure(rung, ids);
        return <FigureCell key={title}>{text ?? <Unknown why={reason} />}</FigureCell>;
      })}
      <Table.Td miw={150}>
        <Badge color={VERDICT_COLORS[verdict]} miw="max-content">
          {VERDICT_WORDS[verdict]}
        </Badge>
        {verdict !== 'baseline' && verdictText.includes(':') && (
          <Text size="xs" c="dimmed">
            {verdictText.slice(verdictText.indexOf(':') + 1).trim()}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Changes({ changes }: { changes: Rung['changes'] }) {
  if (changes.length === 0) return null;
  const named = changes.slice(0, MOST_CHANGES);
  return (
    <Text size="sm" c="dimmed">
      {named
        .map(({ name, before, after }) => `${name}: ${before ?? 'not told'} → ${after ?? 'not told'}`)
        .join(', ')}
      {changes.length > named.length && ` and ${changes.length - named.length} more`}
    </Text>
  );
}

/** How the step times were taken, and why columns have gaps, each reason once. */
function Notes({ rungs }: { rungs: readonly Rung[] }) {
  const clocks = new Set(rungs.flatMap(({ step }) => step?.clockText ?? []));
  const gaps = PANEL_COLUMNS.flatMap(({ title, ids }) =>
    rungs.flatMap((rung) => {
      const { text, reason } = panelFigure(rung, ids);
      return text === null && reason ? [`${title} is not measurable: ${reason}.`] : [];
    }),
  );
  const notes = [...(clocks.size > 0 ? [`Step times: ${[...clocks].join('; ')}.`] : []), ...new Set(gaps)];
  return (
    <Text component="div" size="sm" c="dimmed" mt="xs">
      {notes.map((note) => (
        <div key={note}>{note}</div>
      ))}
    </Text>
  );
}

function Unknown({ why }: { why?: string }) {
  return (
    <Text span c="dimmed" title={why}>
      –
    </Text>
  );
}
