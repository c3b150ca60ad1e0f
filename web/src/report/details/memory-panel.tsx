import { Stack, Text } from '@mantine/core';
import { memorySection } from '../../../../src/presentation/evidence-sections';
import { ReportPart } from '../report-part';
import { type ReportOf } from '../report-query';
import { SectionTable } from '../section-table';
import { MemoryBars } from './memory-bars';
import { NotMeasurable } from './not-measurable';

/** What allocators say of the memory of each device, and allocations that failed. */
export function MemoryPanel({ of }: { of: ReportOf }) {
  return (
    <ReportPart of={of} fields={['memory']}>
      {({ memory = null }) => {
        const section = memorySection({ memory });
        if (!memory || section.rows.length === 0)
          return (
            <NotMeasurable
              of={of}
              what="Memory"
              because="there is no memory summary, no statistics and no snapshot of an allocator among the files"
              record="memory"
            />
          );
        return (
          <Stack>
            {memory.failureCount > 0 && (
              <Text>
                <b>{memory.failureCount}</b> {memory.failureCount === 1 ? 'allocation' : 'allocations'} of
                device memory failed.
              </Text>
            )}
            <MemoryBars devices={memory.devices} />
            <SectionTable section={{ ...section, title: 'What the allocators say' }} />
          </Stack>
        );
      }}
    </ReportPart>
  );
}
