import { Stack } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { measuredSection } from '../../../../src/presentation/measured-section';
import { type Report } from '../../../../src/presentation/present-report';
import { Loading } from '../../states/loading';
import { ReportPart } from '../report-part';
import { type ReportOf } from '../report-query';
import { Section } from '../section';
import { SectionTable } from '../section-table';
import { NotMeasurable } from './not-measurable';
import { OpTable } from './op-table';
import { rooflinePoints, roofsOfMeasured } from './roofline-points';
import { RooflineSummary } from './roofline-summary';

const RooflineChart = lazy(() => import('./roofline-chart').then((m) => ({ default: m.RooflineChart })));

const ABOUT =
  'Each point is an operator with one shape, or a measured kernel; the larger, the longer it takes. Left of a ridge the memory is the limit, right of it the arithmetic; the further below its roof, the more could be gained.';

/** How close operators and kernels come to what the device can do. */
export function RooflinePanel({ of }: { of: ReportOf }) {
  return (
    <ReportPart of={of} fields={['roofline', 'measuredKernels']}>
      {({ roofline, measuredKernels = null }) => (
        <Stack>
          {roofline === null && (
            <NotMeasurable
              of={of}
              what="Roofline of the operators"
              because="the traces have no device activity"
              record="step-trace"
            />
          )}
          {roofline && roofline.gpu.specId === null && (
            <NotMeasurable
              of={of}
              what="Roofs"
              because={roofline.gpu.reason ?? 'the GPU is not known'}
              record="baseline"
            />
          )}
          <Plot roofline={roofline} measured={measuredKernels} />
          {roofline && <RooflineSummary roofline={roofline} />}
          {roofline && <OpTable roofline={roofline} />}
          {measuredKernels ? (
            <SectionTable section={measuredSection(measuredKernels)} />
          ) : (
            <NotMeasurable
              of={of}
              what="Counted flop and bytes of kernels"
              because="there are no counters of Nsight Compute among the files"
              record="kernels"
            />
          )}
        </Stack>
      )}
    </ReportPart>
  );
}

interface PlotProps {
  roofline: Report['roofline'];
  measured: NonNullable<Report['measuredKernels']> | null;
}

function Plot({ roofline, measured }: PlotProps) {
  const { points, roofs } = useMemo(() => {
    const kernels = measured?.kernels ?? [];
    const gpu = roofline?.gpu;
    return {
      points: rooflinePoints(roofline?.ops ?? [], kernels),
      roofs: gpu ? { peaks: gpu.peaks, bytesPerSec: gpu.memoryBytesPerSec } : roofsOfMeasured(kernels),
    };
  }, [measured, roofline]);
  if (points.length === 0) return null;
  return (
    <Section title={`Roofline of ${roofline?.gpu.name ?? measured?.gpu.name ?? 'the device'}`} about={ABOUT}>
      <Suspense fallback={<Loading what="Loading the chart" />}>
        <RooflineChart roofs={roofs} points={points} />
      </Suspense>
    </Section>
  );
}
