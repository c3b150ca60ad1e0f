import { Box, Text } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { ProblemAlert } from '../states/problem-alert';
import classes from './settings.module.css';

/** What was done, or why it could not be. Shown on the page with this path, which is the current one unless given. */
type Announce = (what: string | Error, path?: string) => void;

/** A dialog that is closed has given the focus back by then. */
const FOCUS_IS_BACK_MS = 50;

const Announcer = createContext<Announce>(() => undefined);

export const useAnnounce = () => useContext(Announcer);

/** Says above the pages within what became of an act, to the eye and to screen readers. */
export function Announcements({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const [last, setLast] = useState<{ what: string | Error; path: string } | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const announce = useCallback<Announce>(
    (what, path = pathname) => {
      setLast({ what, path });
      // What had the focus, and a dialog gives it back to, may be gone with the row that it was in.
      setTimeout(() => {
        if (document.activeElement === document.body) place.current?.focus();
      }, FOCUS_IS_BACK_MS);
    },
    [pathname],
  );
  const what = last?.path === pathname ? last.what : null;
  return (
    <Announcer value={announce}>
      <Box ref={place} tabIndex={-1} className={classes.announcement}>
        {what instanceof Error && <ProblemAlert error={what} />}
        <Text role="status" size="sm" className={typeof what === 'string' ? classes.said : undefined}>
          {typeof what === 'string' ? what : null}
        </Text>
      </Box>
      {children}
    </Announcer>
  );
}
