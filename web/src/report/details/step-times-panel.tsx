import { Table } from '@mantine/core';
import { formatNs, formatRatio } from '../../../../src/presentation/quantity';
import { type Report } from '../../../../src/presentation/present-report';
import { FigureCell } from '../figure-cell';
import { Paged } from '../paged';
import { ReportPart } from '../report-part';
import { type ReportOf } from '../report-query';
import { Section } from '../section';
import { WideTable } from '../../states/wide-table';
import { DistributionStrip } from './distribution-strip';
import { NotMeasurable } from './not-measurable';

type Distribution = NonNullable<Report['stepDistributions']>[number];

/** How long steps take without the profiler, how much they differ, and whether slow ones come evenly. */
export function StepTimesPanel({ of }: { of: ReportOf }) {
  return (
    <ReportPart of={of} fields={['stepDistributions']}>
      {({ stepDistributions = [] }) =>
        stepDistributions.length > 0 ? (
          <Distributions rows={stepDistributions} />
        ) : (
          <NotMeasurable
            of={of}
            what="Step times without the profiler"
            because="there are none among the files; a traced step is longer than a true one"
            record="baseline"
          />
        )
      }
    </ReportPart>
  );
}

function Distributions({ rows }: { rows: readonly Distribution[] }) {
  const longestNs = Math.max(...rows.map(({ maxNs }) => maxNs));
  const about =
    'Measured without the profiler. The bar is from the 10th to the 90th percentile, its mark the median, the line from the shortest to the longest step.';
  return (
    <Section title="How long steps take" about={about}>
      <Paged rows={rows} what="series" perPage={32}>
        {(shown) => (
          <WideTable label="Distribution of step times">
            <Table verticalSpacing={4} fz="sm" style={{ whiteSpace: 'nowrap' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Rank</Table.Th>
                  <Table.Th w="30%" miw={160}>
                    0 to {formatNs(longestNs)}
                  </Table.Th>
                  {['Median', 'Mean', 'p10', 'p90', 'p99', 'Longest', 'Steps'].map((name) => (
                    <Table.Th key={name} ta="right">
                      {name}
                    </Table.Th>
                  ))}
                  <Table.Th>Slow steps</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((one, i) => (
                  <Table.Tr key={i}>
                    <Table.Td>{one.rank ?? 'all'}</Table.Td>
                    <Table.Td>
                      <DistributionStrip of={one} longestNs={longestNs} />
                    </Table.Td>
                    {[one.medianNs, one.meanNs, one.p10Ns, one.p90Ns, one.p99Ns, one.maxNs].map((ns, n) => (
                      <FigureCell key={n}>{formatNs(ns)}</FigureCell>
                    ))}
                    <FigureCell>{one.stepCount}</FigureCell>
                    <Table.Td>{slowSteps(one)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </Paged>
    </Section>
  );
}

/** Jitter in words: how many slow steps, whether they come evenly, and what they cost. */
function slowSteps({ spikes, isOfSingleSteps, lostRatio }: Distribution): string {
  if (!isOfSingleSteps) return 'not told: means of several steps';
  if (!spikes) return 'none';
  const evenly = spikes.periodSteps === null ? 'unevenly' : `every ${spikes.periodSteps} steps`;
  return `${spikes.count}, ${evenly}, ${formatNs(spikes.meanExtraNs)} longer each: ${formatRatio(lostRatio)} of the time`;
}
