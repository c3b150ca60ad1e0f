import { describeRegression, regressionIn, type RegressionInEvent } from './regression-in-event';
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
  'regression.reopened': 'Regression is back',
  [testEventType]: 'Test message from Stallscope',
};

/**
 * An event as a message for Slack's incoming webhooks. Everything that people or files named is text to Slack: without
 * < and > there are no mentions, channels or links.
 */
export function renderSlackMessage({ type, team, run, details }: WebhookEvent) {
  const title = titles[type] ?? escape(type);
  const regression = regressionIn(type, details);
  const place = regression ?? run;
  const where = place ? `${escape(place.model)} on ${escape(place.cluster)}` : `team ${escape(team.slug)}`;
  const lines = regression ? regressionLines(regression) : run ? linesOf(run) : [];
  return {
    text: `${title}: ${where}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: [`*${title}*: ${where}`, ...lines].join('\n') } },
    ],
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

function regressionLines(regression: RegressionInEvent): string[] {
  const { regressionId, url } = regression;
  return [
    ...describeRegression(regression).map(escape),
    ...(/^https?:\/\//.test(url) ? [`<${url}|Regression ${regressionId}>`] : [`Regression ${regressionId}`]),
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
