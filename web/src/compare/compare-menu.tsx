import { Button, Menu } from '@mantine/core';
import { Link } from 'react-router';
import { type Schemas } from '../api/client';
import { compareAddress } from '../session/addresses';

/** Ways from a run to its comparison with others; nothing for a run without a report. */
export function CompareMenu({ team, run }: { team: string; run: Schemas['Run'] }) {
  if (run.analyses.length === 0) return null;
  const to = (base: string | null) => compareAddress(team, base, run.id);
  return (
    <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button size="xs" variant="default">
          Compare
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {run.seriesId !== null && (
          <>
            <Menu.Item component={Link} to={to('previous')}>
              With the run before it in its series
            </Menu.Item>
            <Menu.Item component={Link} to={to('previous-10')}>
              With the ten runs before it
            </Menu.Item>
          </>
        )}
        <Menu.Item component={Link} to={to(null)}>
          With another run …
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
