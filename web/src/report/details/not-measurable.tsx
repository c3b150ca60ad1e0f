import { Alert, Text } from '@mantine/core';
import { ReportPart } from '../report-part';
import { type Recording, type ReportOf } from '../report-query';
import { RecordingCommands } from './recording-commands';

interface Props {
  of: ReportOf;
  /** What cannot be said. */
  what: string;
  because: string;
  /** The step of the method that records it. */
  record: Recording['id'];
}

/** What a run's files cannot tell, why, and how to record what can. */
export function NotMeasurable({ of, what, because, record }: Props) {
  return (
    <Alert color="gray" title={`${what}: not measurable`}>
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        Because: {because}
      </Text>
      <ReportPart of={of} fields={['advice']}>
        {({ advice }) => (
          <RecordingCommands commands={advice?.recordings.find(({ id }) => id === record)?.commands ?? []} />
        )}
      </ReportPart>
    </Alert>
  );
}
