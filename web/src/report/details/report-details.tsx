import { Tabs } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { type DetailProps } from './detail-props';
import { DETAILS } from './details';
import classes from './report-details.module.css';

/** What the answer rests on, a tab for each question; the fragment of the address names the open one. */
export function ReportDetails(props: DetailProps) {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const [overview] = DETAILS;
  const open = DETAILS.find(({ id }) => `#${id}` === hash) ?? overview;
  const show = (id: string | null) =>
    void navigate({ search, hash: id === overview.id ? '' : (id ?? '') }, { preventScrollReset: true });
  return (
    <Tabs value={open.id} onChange={show} keepMounted={false}>
      <Tabs.List mb="md" aria-label="Parts of the report">
        {DETAILS.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open.id} className={classes.panel}>
        <open.Panel {...props} />
      </Tabs.Panel>
    </Tabs>
  );
}
