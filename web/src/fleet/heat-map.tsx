import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatRatio } from '../../../src/presentation/quantity';
import { Section } from '../report/section';
import { runsAddress } from '../session/addresses';
import { WideTable } from '../states/wide-table';
import { type Amount, amountOf, type Cause, causeLabel, type Usage, verdictOf } from './causes';
import { formatGpuHours } from './gpu-hours';
import { type Fleet, type FleetSums } from './use-fleet';
import classes from './heat-map.module.css';

interface Props {
  team: string;
  sums: FleetSums;
  cause: Cause;
  show: 'hours' | 'share';
}

type Group = Fleet['groups'][number];

/** What a table can be read with; more are left to the filters. */
const MOST_ROWS = 40;
const MOST_COLUMNS = 20;

/** Models by clusters: the warmer a cell, the more is lost there. Cells lead to their runs. */
export function HeatMap({ team, sums: { models, clusters, pairs }, cause, show }: Props) {
  const rows = models.groups.slice(0, MOST_ROWS);
  const columns = clusters.groups.slice(0, MOST_COLUMNS);
  const valueOf = (usage: Usage) => amountOf(usage, cause)[show === 'hours' ? 'gpuHours' : 'share'];
  const most = Math.max(0, ...pairs.groups.map((pair) => valueOf(pair) ?? 0));
  const heatOf = (usage: Usage) => (most === 0 ? 0 : (valueOf(usage) ?? 0) / most);
  const isCut =
    models.groups.length > MOST_ROWS || clusters.groups.length > MOST_COLUMNS || pairs.isTruncated;
  const what = show === 'hours' ? 'GPU-hours' : 'Share of the step';
  const leadTo = (usage: Usage, place: Record<string, string>) => {
    const verdict = verdictOf(usage, cause);
    return runsAddress(team, { ...place, ...(verdict !== undefined && { verdict }) });
  };
  return (
    <Section
      title={`${what} without computing: ${causeLabel(cause)}`}
      about={
        show === 'hours'
          ? 'The first figure is GPU-hours, the second the share of the step.'
          : 'Of the step time, weighted by GPUs.'
      }
    >
      <WideTable label="Models by clusters">
        <Table withColumnBorders withTableBorder fz="sm" className={classes.map}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.name}>Model</Table.Th>
              {columns.map(({ value }) => (
                <Table.Th key={value} className={classes.cell}>
                  {value}
                </Table.Th>
              ))}
              <Table.Th className={classes.cell}>All clusters</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.value}>
                <Table.Th scope="row" className={classes.name}>
                  {row.value}
                </Table.Th>
                {columns.map(({ value: cluster }) => {
                  const pair = find(pairs.groups, row.value, cluster);
                  if (!pair) return <Table.Td key={cluster} aria-label="no runs" />;
                  const place = { model: row.value ?? '', cluster: cluster ?? '' };
                  return (
                    <Table.Td key={cluster} className={classes.heat} style={{ '--heat': heatOf(pair) }}>
                      <Figures
                        amount={amountOf(pair, cause)}
                        usage={pair}
                        show={show}
                        to={leadTo(pair, place)}
                        name={`Runs of ${place.model} on ${place.cluster}`}
                      />
                    </Table.Td>
                  );
                })}
                <Total usage={row} cause={cause} show={show} />
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row" className={classes.name}>
                All models
              </Table.Th>
              {columns.map((column) => (
                <Total key={column.value} usage={column} cause={cause} show={show} />
              ))}
              <Total usage={pairs.total} cause={cause} show={show} />
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </WideTable>
      {isCut && (
        <Text size="sm">
          The models and clusters with the most GPU-hours are shown; choose one above to see others. The
          totals have all.
        </Text>
      )}
    </Section>
  );
}

function find(groups: readonly Group[], model: string | null, cluster: string | null): Group | undefined {
  return groups.find((group) => group.value === model && group.cluster === cluster);
}

function Total({ usage, cause, show }: { usage: Usage; cause: Cause; show: Props['show'] }) {
  return (
    <Table.Td className={classes.total}>
      <Figures amount={amountOf(usage, cause)} usage={usage} show={show} />
    </Table.Td>
  );
}

interface FiguresProps {
  amount: Amount;
  usage: Usage;
  show: Props['show'];
  to?: string;
  name?: string;
}

/** The figures of a cell. What is not known is said, and not taken for zero. */
function Figures({ amount: { gpuHours, share }, usage, show, to, name }: FiguresProps) {
  const shareText = share === null ? 'not measured' : formatRatio(share);
  const hoursText = gpuHours === null ? 'not told' : formatGpuHours(gpuHours);
  const text = show === 'share' || share === null ? shareText : hoursText;
  const isPartial = usage.runsWithGpuHours < usage.runs && show === 'hours' && gpuHours !== null;
  return (
    <>
      {to === undefined ? (
        <b>{text}</b>
      ) : (
        <Anchor component={Link} to={to} className={classes.link} aria-label={`${text}. ${name}`}>
          {text}
        </Anchor>
      )}
      {show === 'hours' && share !== null && <div className={classes.second}>{shareText}</div>}
      {isPartial && (
        <div className={classes.second}>
          of {usage.runsWithGpuHours} of {usage.runs} runs
        </div>
      )}
    </>
  );
}
