import { type RunInEvent, testEventType, type WebhookEvent } from './webhook-event';

/** Slack takes 3,000 characters a section; a message has seven such texts. */
const longestText = 300;
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const titles: Record<string, string> = {
  'run.created': 'Run created',
  'run.queued': 'Run queued',
  'run.analyzing': 'Run is being analysed',
  'run.done': 'Run analysed',
  'run.failed': 'Analysis failed',
  'regression.opened': 'Regression',
  'regression.resolved': 'Regression resolved',
  [testEventType]: 'Test message from Stallscope',
};

/**
 * An event as a message for Slack's incoming webhooks. Everything that people or files named is text to Slack: without
 * < and > there are no mentions, channels or links.
 */
export function renderSlackMessage({ type, team, run }: WebhookEvent) {
  const title = titles[type] ?? escape(type);
  const where = run ? `${escape(run.model)} on ${escape(run.cluster)}` : `team ${escape(team.slug)}`;
  const lines = [`*${title}*: ${where}`, ...(run ? linesOf(run) : [])];
  return {
    text: `${title}: ${where}`,
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: lines.join('\n') } }],
  };
}

function linesOf({ id, branch, verdict, summary, failure, reportUrl }: RunInEvent): string[] {
  return [
    ...(verdict === null ? [] : [`Bottleneck: ${escape(verdict)}`]),
    ...(summary === null ? [] : [escape(summary)]),
    ...(failure === null ? [] : [`${escape(failure.code)}: ${escape(failure.reason)}`]),
    ...(branch === null ? [] : [`Branch: ${escape(branch)}`]),
    // A path leads nowhere from a chat.
    ...(/^https?:\/\//.test(reportUrl) ? [`<${reportUrl}|Report of run ${id}>`] : [`Run ${id}`]),
  ];
}

/** Text as Slack shows it and does nothing else with it, on one line; what is too long is cut, but no entity is. */
function escape(text: string): string {
  let escaped = '';
  for (const character of text.replace(unprintable, ' ').trim()) {
    const next = entities[character] ?? character;
    if (escaped.length + next.length >= longestText) return `${escaped}…`;
    escaped += next;
  }
  return escaped;
}
