import { Stack } from '@mantine/core';
import { ReportDetails } from './details/report-details';
import { type DetailProps } from './details/detail-props';
import { VerdictPanel } from './verdict-panel';

/** What an analysis found: the answer first, then where the time goes, what to do, and what that rests on. */
export function ReportBody(props: DetailProps) {
  return (
    <Stack style={{ overflowWrap: 'break-word' }}>
      <VerdictPanel report={props.shown} />
      <ReportDetails {...props} />
    </Stack>
  );
}
