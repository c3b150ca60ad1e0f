import { Table } from '@mantine/core';
import { formatBytes, formatNs } from '../../../../src/presentation/quantity';
import { type Schemas } from '../../api/client';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';

type Day = Schemas['Usage']['days'][number];

const NS_PER_S = 1e9;

/** What was used on each day, the newest first, under the sum of them. */
export function UsageDays({ days }: { days: readonly Day[] }) {
  const sum = (of: (day: Day) => number) => days.reduce((total, day) => total + of(day), 0);
  const total: Day = {
    day: `All ${days.length} days`,
    runs: sum(({ runs }) => runs),
    uploadedBytes: sum(({ uploadedBytes }) => uploadedBytes),
    analyses: sum(({ analyses }) => analyses),
    analysisS: sum(({ analysisS }) => analysisS),
  };
  return (
    <ListTable
      label="Day by day"
      minWidthPx={520}
      columns={[
        'Day (UTC)',
        { name: 'Runs', kind: 'figure' },
        { name: 'Uploaded', kind: 'figure' },
        { name: 'Analyses', kind: 'figure' },
        { name: 'Analysis time', kind: 'figure' },
      ]}
    >
      {[total, ...days].map((day, i) => (
        <DayRow key={day.day} day={day} isTotal={i === 0} />
      ))}
    </ListTable>
  );
}

function DayRow({
  day: { day, runs, uploadedBytes, analyses, analysisS },
  isTotal,
}: {
  day: Day;
  isTotal: boolean;
}) {
  const isIdle = runs + uploadedBytes + analyses === 0;
  const figures = [
    runs.toLocaleString('en'),
    formatBytes(uploadedBytes),
    analyses.toLocaleString('en'),
    formatSeconds(analysisS),
  ];
  return (
    <Table.Tr fw={isTotal ? 600 : undefined} className={isIdle ? classes.ended : undefined}>
      <Table.Th scope="row" fw={isTotal ? 600 : 400}>
        {day}
      </Table.Th>
      {figures.map((figure, i) => (
        <Table.Td key={i} className={classes.figure}>
          {figure}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** Long times in hours and minutes. */
function formatSeconds(seconds: number): string {
  if (seconds === 0) return '0 s';
  if (seconds < 600) return formatNs(seconds * NS_PER_S);
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
