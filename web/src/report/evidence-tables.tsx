import { Table } from '@mantine/core';
import { evidenceSections } from '../../../src/presentation/evidence-sections';
import { type ShownReport } from './report-query';
import { Section } from './section';

/** What step times, monitors, NCCL logs and allocators say, in the words of the command line and of pull requests. */
export function EvidenceTables({ report }: { report: ShownReport }) {
  return evidenceSections(report).map(({ title, about, rows }) => (
    <Section key={title} title={title} about={about}>
      <Table verticalSpacing={4} fz="sm">
        <Table.Tbody>
          {rows.map(({ label, value, text, strong }, i) => (
            <Table.Tr key={i}>
              <Table.Th scope="row" fw={strong ? 700 : 400} w="32%">
                {label}
              </Table.Th>
              <Table.Td w={130} fw={strong ? 700 : 400}>
                {value}
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  ));
}
