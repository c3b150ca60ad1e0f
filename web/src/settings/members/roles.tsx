import { Radio, Stack } from '@mantine/core';
import { type Schemas } from '../../api/client';

export type Role = Schemas['MemberSummary']['role'];

/** What people with a role may do, from the least to the most. */
const ROLES: readonly { role: Role; may: string }[] = [
  { role: 'viewer', may: 'Reads runs, reports and what the team uses.' },
  { role: 'member', may: 'Also uploads runs, evaluates gates and handles regressions.' },
  { role: 'admin', may: 'Also manages members, tokens, webhooks and settings, and reads the audit log.' },
  { role: 'owner', may: 'Also makes owners, and may delete the team.' },
];

/** Whether somebody with a role may change what somebody with the other role has: nobody above their own. */
export function mayManage(own: Role | null, other: Role): boolean {
  const rank = (role: Role | null) => ROLES.findIndex((one) => one.role === role);
  return rank(own) >= rank(other);
}

/** The field `role` of a form, with the roles that somebody may give. */
export function RoleChoice({ own, initial }: { own: Role | null; initial: Role }) {
  return (
    <Radio.Group name="role" label="Role" defaultValue={initial} required>
      <Stack gap="xs" mt={6}>
        {ROLES.filter(({ role }) => mayManage(own, role)).map(({ role, may }) => (
          <Radio key={role} value={role} label={role} description={may} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
