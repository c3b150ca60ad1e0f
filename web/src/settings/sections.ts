import { type Me } from '../session/me-query';

interface Section {
  path: string;
  label: string;
  /** Without it the section is for everybody in the team. */
  needs?: 'admin';
}

/** The parts of a team's settings, `/t/<team>/settings/<path>`, in the order of the menu. */
const SECTIONS: readonly Section[] = [
  { path: 'members', label: 'Members', needs: 'admin' },
  { path: 'tokens', label: 'API tokens', needs: 'admin' },
  { path: 'webhooks', label: 'Webhooks', needs: 'admin' },
  { path: 'usage', label: 'Usage' },
  { path: 'audit', label: 'Audit log', needs: 'admin' },
  { path: 'account', label: 'Your account' },
];

/** Those that somebody may open. */
export const sectionsFor = ({ scopes }: Me) =>
  SECTIONS.filter(({ needs }) => needs === undefined || scopes.includes(needs));
