import { Injectable } from '@nestjs/common';
import { Database, type TeamRow, type TeamScope } from '../../platform/database';
import { renderBody } from './render-body';
import { type RunInEvent } from './webhook-event';

type StoredEvent = Awaited<ReturnType<typeof findEvents>>[number];

/** What events of runs say of the run as it was then. */
interface StateInEvent {
  state?: string;
  generation?: number;
  failureCode?: string;
  failureReason?: string;
}

/** Addresses of what events are about. */
export interface EventUrls {
  report(runId: string): string;
  regression(regressionId: string): string;
}

/** Events that happened, on their way to the webhooks that want them. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly database: Database) {}

  /** Events that no webhook was given yet, over all teams, in order. */
  async findUnsent(maxRows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) => scope.findUnsentEvents(maxRows));
  }

  /**
   * Makes a delivery of each event for each endpoint that wants it, and marks the events, all or nothing; gives the number
   * of deliveries. May run again, and in two processes at once: an event is delivered to an endpoint once.
   */
  async fanOut(teamId: string, eventIds: readonly string[], urls: EventUrls): Promise<number> {
    return this.database.forTeam(teamId, async (scope) => {
      const endpoints = await scope.webhookEndpoint.findMany({
        where: { teamId, enabled: true, team: { deletedAt: null } },
        select: { id: true, events: true, payloadFormat: true },
      });
      const unsent = { teamId, id: { in: [...eventIds] }, fannedOutAt: null };
      const wanted = [...new Set(endpoints.flatMap(({ events }) => events))];
      const events = wanted.length > 0 ? await findEvents(scope, { ...unsent, type: { in: wanted } }) : [];
      const described = await describe(scope, events, urls);
      const deliveries = described.flatMap((event) =>
        endpoints
          .filter((endpoint) => endpoint.events.includes(event.type))
          .map(({ id: endpointId, payloadFormat }) => ({
            ...{ teamId, endpointId, eventId: event.id, eventType: event.type },
            body: renderBody(event, payloadFormat),
          })),
      );
      const { count } =
        deliveries.length > 0
          ? await scope.webhookDelivery.createMany({ data: deliveries, skipDuplicates: true })
          : { count: 0 };
      await scope.teamEvent.updateMany({ where: unsent, data: { fannedOutAt: new Date() } });
      return count;
    });
  }
}

async function findEvents({ teamEvent }: TeamScope, where: { teamId: string; type: { in: string[] } }) {
  return teamEvent.findMany({
    where,
    select: {
      ...{ id: true, type: true, createdAt: true, data: true },
      run: {
        select: {
          ...{ id: true, model: true, cluster: true, branch: true, commit: true },
          ...{ state: true, generation: true },
        },
      },
    },
    orderBy: { seq: 'asc' },
  });
}

/** The events with all that a receiver is told; the verdicts are those of the generations that the events are about. */
async function describe(scope: TeamScope, events: StoredEvent[], urls: EventUrls) {
  if (events.length === 0) return [];
  const { teamId } = scope;
  const { slug } = await scope.team.findUniqueOrThrow({ where: { id: teamId }, select: { slug: true } });
  const analyses = await scope.analysis.findMany({
    where: { teamId, runId: { in: events.flatMap(({ run }) => run?.id ?? []) } },
    select: { runId: true, generation: true, bottleneck: true, summary: true },
  });
  return events.map(({ run, data, ...event }) => {
    // A regression has a state too, which is not that of the run.
    const then = (event.type.startsWith('run.') ? data : {}) as StateInEvent;
    const generation = then.generation ?? run?.generation ?? 0;
    const verdict = analyses.find((one) => one.runId === run?.id && one.generation === generation);
    const told: RunInEvent | null = run && {
      ...run,
      state: then.state ?? run.state,
      generation,
      verdict: verdict?.bottleneck ?? null,
      summary: verdict?.summary ?? null,
      failure:
        then.failureCode === undefined ? null : { code: then.failureCode, reason: then.failureReason ?? '' },
      reportUrl: urls.report(run.id),
    };
    return { ...event, team: { id: teamId, slug }, run: told, details: withUrl(data, urls) };
  });
}

/** What an event of a regression says, with the address of the regression. */
function withUrl(details: unknown, urls: EventUrls): unknown {
  const { regressionId } = details as { regressionId?: string };
  return regressionId === undefined
    ? details
    : { ...(details as object), url: urls.regression(regressionId) };
}
