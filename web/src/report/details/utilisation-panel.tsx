import { Alert, Stack } from '@mantine/core';
import { symptomSection } from '../../../../src/presentation/advice-sections';
import { monitorSection } from '../../../../src/presentation/evidence-sections';
import { ReportPart } from '../report-part';
import { type ReportOf } from '../report-query';
import { SectionTable } from '../section-table';
import { UtilisationFigures } from './utilisation-figures';

/** How busy the device is, from every side: no single figure names a cause. */
export function UtilisationPanel({ of }: { of: ReportOf }) {
  return (
    <ReportPart of={of} fields={['advice', 'monitors']}>
      {({ advice, monitors }) => (
        <Stack>
          {advice?.utilisation.noteText && <Alert color="blue">{advice.utilisation.noteText}</Alert>}
          {advice ? (
            <UtilisationFigures figures={advice.utilisation.figures} recordings={advice.recordings} />
          ) : (
            <Alert color="gray">
              The utilisation could not be worked out; see the problems of the input.
            </Alert>
          )}
          {advice && <SectionTable section={symptomSection(advice)} />}
          <SectionTable section={monitorSection({ monitors })} />
        </Stack>
      )}
    </ReportPart>
  );
}
