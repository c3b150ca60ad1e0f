import { Anchor, Badge, Checkbox, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import { formatFigure } from '../../../src/presentation/quantity';
import { type Schemas } from '../api/client';
import { reportAddress, trendsAddress } from '../session/addresses';
import { RunBadge } from './run-badge';
import { Sparkline } from './sparkline';
import { type RunSelection } from './use-run-selection';
import { When } from './when';
import classes from './runs-table.module.css';

type Run = Schemas['RunSummary'];

interface Props {
  team: string;
  runs: readonly Run[];
  /** Step times by series, ns. */
  trends: ReadonlyMap<string, number[]>;
  selection: RunSelection;
}

/** A run is a row; narrow screens leave out what the first cell can say as well. */
export function RunsTable({ team, runs, trends, selection }: Props) {
  return (
    <Table
      highlightOnHover
      highlightOnHoverColor="var(--mantine-color-default-hover)"
      verticalSpacing="xs"
      className={classes.table}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.select}>
            <VisuallyHidden>Select</VisuallyHidden>
          </Table.Th>
          <Table.Th className={classes.run}>Run</Table.Th>
          <Table.Th className={classes.wide}>Cluster</Table.Th>
          <Table.Th className={classes.wide}>Branch</Table.Th>
          <Table.Th className={classes.figure}>Step time</Table.Th>
          <Table.Th className={classes.wide}>Trend</Table.Th>
          <Table.Th className={`${classes.figure} ${classes.wide}`}>MFU</Table.Th>
          <Table.Th className={`${classes.wide} ${classes.when}`}>Created</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {runs.map((run) => (
          <RunRow
            key={run.id}
            team={team}
            run={run}
            trend={trends.get(run.seriesId ?? '') ?? []}
            selection={selection}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface RowProps {
  team: string;
  run: Run;
  trend: readonly number[];
  selection: RunSelection;
}

function RunRow({ team, run, trend, selection }: RowProps) {
  return (
    <Table.Tr>
      <Table.Td className={classes.select}>
        <Checkbox
          size="xs"
          aria-label={`Select ${run.model} of ${new Date(run.createdAt).toLocaleString()} to compare it`}
          checked={selection.isSelected(run)}
          disabled={!selection.isOpen(run)}
          onChange={() => selection.toggle(run)}
        />
      </Table.Td>
      <Table.Td className={classes.run}>
        <Group gap="xs">
          <Anchor component={Link} to={reportAddress(team, run.id)} fw={600} className={classes.name}>
            {run.model}
            {run.workload !== null && ` / ${run.workload}`}
          </Anchor>
          <RunBadge run={run} />
          {run.tags.slice(0, 3).map((tag) => (
            <Badge key={tag} variant="default" size="sm" fw={400}>
              {tag}
            </Badge>
          ))}
        </Group>
        <Text size="sm" c="dimmed" lineClamp={3}>
          {run.failure?.reason ?? run.verdict?.summary}
        </Text>
        <Text size="xs" c="dimmed" className={classes.narrow}>
          {run.cluster}, <When at={run.createdAt} />
        </Text>
      </Table.Td>
      <Table.Td className={classes.wide}>{run.cluster}</Table.Td>
      <Table.Td className={classes.wide}>
        <Revision run={run} />
      </Table.Td>
      <Table.Td className={classes.figure}>
        <Metric run={run} id="step-time" />
      </Table.Td>
      <Table.Td className={classes.wide}>
        {trend.length > 1 && run.seriesId !== null ? (
          <Link to={trendsAddress(team, { metric: 'step-time', series: run.seriesId })}>
            <Sparkline valuesNs={trend} />
          </Link>
        ) : (
          <NotTold />
        )}
      </Table.Td>
      <Table.Td className={`${classes.figure} ${classes.wide}`}>
        <Metric run={run} id="mfu" />
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.when}`}>
        <When at={run.createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}

function Revision({ run: { branch, commit } }: { run: Run }) {
  if (branch === null && commit === null) return <NotTold />;
  return (
    <>
      {branch}
      {commit !== null && (
        <Text size="xs" c="dimmed" ff="monospace" title={commit}>
          {commit.slice(0, 10)}
        </Text>
      )}
    </>
  );
}

function Metric({ run, id }: { run: Run; id: string }) {
  const metric = run.metrics.find((one) => one.id === id);
  return metric?.value == null ? <NotTold /> : formatFigure(metric);
}

function NotTold() {
  return (
    <Text span c="dimmed" aria-label="not known">
      –
    </Text>
  );
}
