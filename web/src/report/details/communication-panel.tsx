import { Stack, Text } from '@mantine/core';
import { networkSection } from '../../../../src/presentation/evidence-sections';
import { type Report } from '../../../../src/presentation/present-report';
import { ReportPart } from '../report-part';
import { type ReportOf, type ShownReport } from '../report-query';
import { SectionTable } from '../section-table';
import { CollectiveTable } from './collective-table';
import { NotMeasurable } from './not-measurable';
import { WaitByRank } from './wait-by-rank';

/** Collectives: how long bytes move, how long ranks wait for each other, and for whom. */
export function CommunicationPanel({ of, shown }: { of: ReportOf; shown: ShownReport }) {
  return (
    <ReportPart of={of} fields={['communication', 'network']}>
      {({ communication, network }) => (
        <Stack>
          <Communication of={of} shown={shown} communication={communication} />
          <SectionTable section={networkSection({ network, findings: shown.findings })} />
        </Stack>
      )}
    </ReportPart>
  );
}

function Communication({
  of,
  shown,
  communication,
}: {
  of: ReportOf;
  shown: ShownReport;
  communication: Report['communication'];
}) {
  if (communication && communication.matchedBy !== 'none')
    return (
      <>
        <Straggler communication={communication} />
        <WaitByRank perRank={communication.perRank} straggler={communication.stragglerRank} />
        <CollectiveTable communication={communication} />
      </>
    );
  const hasSteps = shown.metrics.some(({ id, value }) => id === 'step-time' && value !== null);
  if (!communication && hasSteps) return <Text>The traced steps have no collectives.</Text>;
  const because = communication?.reason ?? 'there is no trace with device activity among the files';
  const record = communication ? 'communication' : 'step-trace';
  return <NotMeasurable of={of} what="Wait against transfer" because={because} record={record} />;
}

function Straggler({
  communication: { stragglerRank, perRank },
}: {
  communication: NonNullable<Report['communication']>;
}) {
  if (perRank.length < 2) return null;
  return (
    <Text>
      {stragglerRank === null ? (
        'No rank is clearly late: nobody waits for the same one all the time.'
      ) : (
        <>
          <b>Rank {stragglerRank} is late</b>: the others wait for it inside of collectives.
        </>
      )}
    </Text>
  );
}
