import { Group, NativeSelect, Switch, Table, Text } from '@mantine/core';
import { type Report } from '../../../../src/presentation/present-report';
import { formatNs } from '../../../../src/presentation/quantity';
import { TextFilter } from '../../filters/text-filter';
import { Paged } from '../paged';
import { Section } from '../section';
import { useChoice } from '../use-choice';
import { WideTable } from '../../states/wide-table';
import { KernelRows } from './kernel-rows';
import { SortHeader } from './sort-header';
import { chooseKernels, type Sort, SORTS } from './sort-kernels';

interface Props {
  kernels: Report['topKernels'];
  classes: Report['kernelClasses'];
  leftOut: Report['kernelsLeftOut'];
}

/** Kernels by name, to filter, sort and group. All choices are in the address. */
export function KernelTable({ kernels, classes, leftOut }: Props) {
  const [text, setText] = useChoice('kernel', '');
  const [kind, setKind] = useChoice('class', '');
  const [group, setGroup] = useChoice('group', 'no');
  const [asked, setSort] = useChoice<Sort>('sort', 'time');
  const sort = SORTS.includes(asked) ? asked : 'time';
  const isGrouped = group === 'class';
  const chosen = chooseKernels(kernels, { text, kind, sort, isGrouped });
  const head = { current: sort, onSort: setSort };
  const totalNs = classes.reduce((sum, one) => sum + one.totalNs, 0);
  return (
    <Section title="By name">
      <Group align="flex-end" gap="sm" mb="xs" component="search" aria-label="Filter kernels">
        <TextFilter label="Name contains" value={text} onChange={setText} />
        <NativeSelect
          label="Class"
          size="xs"
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value)}
          data={[{ value: '', label: 'Any' }, ...classes.map((one) => one.class)]}
        />
        <Switch
          label="Group by class"
          size="sm"
          mb={6}
          checked={isGrouped}
          onChange={({ currentTarget }) => setGroup(currentTarget.checked ? 'class' : 'no')}
        />
      </Group>
      {chosen.length === 0 ? (
        <Text size="sm">No kernel matches.</Text>
      ) : (
        <Paged rows={chosen} what="kernels" key={`${text}/${kind}/${group}/${sort}`}>
          {(shown) => (
            <WideTable label="Kernels">
              <Table verticalSpacing={2} fz="sm" miw={640}>
                <Table.Thead>
                  <Table.Tr>
                    <SortHeader label="Kernel" sort="name" {...head} />
                    <Table.Th>Class</Table.Th>
                    <Table.Th ta="right">Share</Table.Th>
                    <SortHeader label="Time" sort="time" isFigure {...head} />
                    <SortHeader label="Launches" sort="launches" isFigure {...head} />
                    <SortHeader label="Each" sort="each" isFigure {...head} />
                  </Table.Tr>
                </Table.Thead>
                <KernelRows
                  kernels={shown}
                  totalNs={totalNs}
                  classes={isGrouped && text === '' ? classes : null}
                />
              </Table>
            </WideTable>
          )}
        </Paged>
      )}
      {leftOut && leftOut.names > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          The {kernels.length} that take longest; {leftOut.names} more names take {formatNs(leftOut.totalNs)}{' '}
          together.
        </Text>
      )}
    </Section>
  );
}
