import { byId, type ExportKind, ROWS_PER_PAGE, toPage } from './export-kind';

const page = { take: ROWS_PER_PAGE, orderBy: { id: 'asc' } } as const;
/** What nobody may read, and what is the same in every line. */
const withoutHash = { teamId: true, tokenHash: true } as const;

const team: ExportKind = {
  kind: 'team',
  readPage: async ({ teamId, team: teams }) =>
    toPage([await teams.findUniqueOrThrow({ where: { id: teamId } })], ({ id }) => id),
};

const member: ExportKind = {
  kind: 'member',
  readPage: async ({ teamId, membership }, after) => {
    const rows = await membership.findMany({
      where: { teamId, ...(after === undefined ? {} : { userId: { gt: after } }) },
      select: { userId: true, role: true, createdAt: true, user: { select: { email: true, name: true } } },
      orderBy: { userId: 'asc' },
      take: ROWS_PER_PAGE,
    });
    return toPage(
      rows.map(({ user, ...row }) => ({ ...row, ...user })),
      ({ userId }) => userId,
    );
  },
};

/** Who belongs to a team and who may act for it. */
export const peopleKinds: readonly ExportKind[] = [
  team,
  member,
  byId('invitation', ({ invitation }, where) => invitation.findMany({ where, ...page, omit: withoutHash })),
  byId('serviceAccount', ({ serviceAccount }, where) =>
    serviceAccount.findMany({ where, ...page, omit: { teamId: true } }),
  ),
  byId('token', ({ apiToken }, where) => apiToken.findMany({ where, ...page, omit: withoutHash })),
  byId('webhook', ({ webhookEndpoint }, where) =>
    webhookEndpoint.findMany({ where, ...page, omit: { teamId: true } }),
  ),
  byId('auditEntry', ({ auditEntry }, where) =>
    auditEntry.findMany({ where, ...page, omit: { teamId: true } }),
  ),
];
