import { useQuery } from '@tanstack/react-query';
import { NavLink, Outlet, useParams } from 'react-router';
import { settingsAddress } from '../session/addresses';
import { meQuery } from '../session/me-query';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { Announcements } from './announcements';
import { sectionsFor } from './sections';
import classes from './settings.module.css';

/** What is around the settings: the sections that the person may open, and what became of their acts. */
export function SettingsLayout() {
  const { team = '' } = useParams();
  const { data: me, error, refetch } = useQuery(meQuery(team));
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  if (!me) return <Loading what="Loading the settings" />;
  return (
    <div className={classes.layout}>
      <nav aria-label="Settings" className={classes.sections}>
        {sectionsFor(me).map(({ path, label }) => (
          <NavLink key={path} to={settingsAddress(team, path)} className={classes.section}>
            {label}
          </NavLink>
        ))}
      </nav>
      <div>
        <Announcements>
          <Outlet />
        </Announcements>
      </div>
    </div>
  );
}
