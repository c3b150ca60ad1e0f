import { Stack } from '@mantine/core';
import { totalsSections } from '../../../../src/presentation/totals-section';
import { ReportPart } from '../report-part';
import { type ReportOf } from '../report-query';
import { SectionTable } from '../section-table';
import { KernelClasses } from './kernel-classes';
import { KernelTable } from './kernel-table';
import { NotMeasurable } from './not-measurable';

/** What the device runs: classes of kernels, single kernels, and what printed tables of a profiler add. */
export function KernelsPanel({ of }: { of: ReportOf }) {
  return (
    <ReportPart of={of} fields={['topKernels', 'kernelClasses', 'kernelsLeftOut', 'operatorTotals']}>
      {({ topKernels, kernelClasses, kernelsLeftOut, operatorTotals }) => (
        <Stack>
          {topKernels.length > 0 ? (
            <>
              <KernelClasses classes={kernelClasses} />
              <KernelTable kernels={topKernels} classes={kernelClasses} leftOut={kernelsLeftOut} />
            </>
          ) : (
            <NotMeasurable
              of={of}
              what="Kernels"
              because="the traces have no kernels in steps that count"
              record="step-trace"
            />
          )}
          {operatorTotals &&
            totalsSections(operatorTotals, topKernels.length > 0).map((section) => (
              <SectionTable key={section.title} section={section} />
            ))}
        </Stack>
      )}
    </ReportPart>
  );
}
