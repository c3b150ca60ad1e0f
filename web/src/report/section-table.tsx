import { Table, Text } from '@mantine/core';
import { type AdviceSection } from '../../../src/presentation/advice-sections';
import { Section } from './section';
import classes from './section-table.module.css';

/** A table in the words of the command line and of pull requests; nothing when it has no rows. */
export function SectionTable({ section: { title, about, rows } }: { section: AdviceSection }) {
  if (rows.length === 0) return null;
  return (
    <Section title={title} about={about}>
      <Table verticalSpacing={4} fz="sm" className={classes.table}>
        <Table.Tbody>
          {rows.map(({ label, value, text, strong }, i) => (
            <Table.Tr key={i}>
              <Table.Th scope="row" fw={strong ? 700 : 400} className={classes.label}>
                {label}
                <Text className={classes.narrow}>{text}</Text>
              </Table.Th>
              <Table.Td fw={strong ? 700 : 400} className={classes.value}>
                {value}
              </Table.Td>
              <Table.Td className={classes.wide}>{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
