import { Table, Text } from '@mantine/core';
import { WideTable } from '../states/wide-table';

interface Difference {
  name: string;
  before: string | null;
  after: string | null;
}

/** What was said of both sides and differs. */
export function DifferenceTable({
  label,
  differences,
}: {
  label: string;
  differences: readonly Difference[];
}) {
  return (
    <WideTable label={label}>
      <Table verticalSpacing={4} fz="sm" maw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map(({ name, before, after }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                {name}
              </Table.Th>
              {[before, after].map((value, i) => (
                <Table.Td key={i} style={{ overflowWrap: 'anywhere' }}>
                  {value ?? (
                    <Text span inherit c="dimmed">
                      not said
                    </Text>
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}
