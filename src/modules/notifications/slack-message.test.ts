import fc from 'fast-check';
import { renderSlackMessage } from './slack-message';
import { type RunInEvent, type WebhookEvent } from './webhook-event';

const run: RunInEvent = {
  ...{ id: '0190e8f1-0000-7000-8000-000000000001', model: 'llama-7b', cluster: 'h200-a', branch: 'main' },
  ...{ commit: null, state: 'done', generation: 1, verdict: 'input-pipeline', failure: null },
  summary: 'The device waits for input for 38% of the step.',
  reportUrl: 'https://stallscope.test/v1/runs/1/report',
};
const event = (change: Partial<RunInEvent>, type = 'run.done'): WebhookEvent => ({
  ...{ id: '0190e8f1-0000-7000-8000-000000000002', type, createdAt: new Date(0), details: {} },
  team: { id: '0190e8f1-0000-7000-8000-000000000003', slug: 'research' },
  run: { ...run, ...change },
});
const textOf = (message: ReturnType<typeof renderSlackMessage>) => message.blocks[0].text.text;

describe('renderSlackMessage', () => {
  it('says what happened, where, and where to read on', () => {
    const message = renderSlackMessage(event({}));
    expect(message.text).toBe('Run analysed: llama-7b on h200-a');
    expect(textOf(message).split('\n')).toEqual([
      '*Run analysed*: llama-7b on h200-a',
      'Bottleneck: input-pipeline',
      'The device waits for input for 38% of the step.',
      'Branch: main',
      `<https://stallscope.test/v1/runs/1/report|Report of run ${run.id}>`,
    ]);
  });

  it('says why an analysis failed, and links to nothing without an address', () => {
    const failure = { code: 'unknown-format', reason: 'No trace.' };
    const text = textOf(
      renderSlackMessage(
        event({ verdict: null, summary: null, failure, reportUrl: '/v1/runs/1/report' }, 'run.failed'),
      ),
    );
    expect(text).toContain('unknown-format: No trace.');
    expect(text).not.toContain('<');
  });

  it('says of a regression what moved by how much, since when, and where to read on', () => {
    const details = {
      ...{ regressionId: '0190e8f1-0000-7000-8000-000000000004', resolution: null, branch: 'main' },
      ...{ model: 'llama <b>', cluster: 'h200-a', metricId: 'step-time', unit: 'ns', changeRatio: 0.1 },
      ...{ before: 100e6, after: 110e6, firstBadCommit: 'bad1', lastGoodCommit: 'good1' },
      url: 'https://stallscope.test/v1/regressions/1',
    };
    const message = renderSlackMessage({ ...event({}, 'regression.opened'), run: null, details });
    expect(message.text).toBe('Regression: llama &lt;b&gt; on h200-a');
    expect(textOf(message).split('\n')).toEqual([
      '*Regression*: llama &lt;b&gt; on h200-a',
      'step-time: 100 ms → 110 ms (+10.0 %)',
      'Branch: main',
      'First bad commit: bad1',
      'Last good commit: good1',
      `<https://stallscope.test/v1/regressions/1|Regression ${details.regressionId}>`,
    ]);
    const over = { ...details, resolution: 'fixed', url: '/v1/regressions/1' };
    const resolved = textOf(renderSlackMessage({ ...event({}, 'regression.resolved'), details: over }));
    expect(resolved).toContain('Resolved: fixed');
    expect(resolved).not.toMatch(/[<>]/);
  });

  it('tells of the team where there is no run', () => {
    const message = renderSlackMessage({ ...event({}, 'webhook.test'), run: null });
    expect(message.text).toBe('Test message from Stallscope: team research');
  });

  it('makes no mention, channel, link or new line out of what people wrote', () => {
    const hostile = fc.oneof(
      fc.constantFrom(
        '<!channel>',
        '<!here|x>',
        '<@U123>',
        '<https://evil.test|ok>',
        'a\n*b*',
        '&lt;!channel&gt;',
      ),
      fc.string({ unit: 'binary', maxLength: 2_000 }),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (model, summary, reason) => {
        const message = renderSlackMessage(
          event({ model, summary, branch: model, failure: { code: 'c', reason }, reportUrl: '/r' }),
        );
        for (const text of [message.text, textOf(message)]) {
          expect(text).not.toMatch(/[<>]|&(?!(amp|lt|gt);)/);
          expect(text.length).toBeLessThanOrEqual(3_000);
        }
        expect(textOf(message).split('\n')).toHaveLength(6);
      }),
    );
  });

  it('stays within the 3,000 characters of a section, whatever is named', () => {
    const long = '&'.repeat(5_000);
    const text = textOf(
      renderSlackMessage(
        event({
          model: long,
          cluster: long,
          branch: long,
          summary: long,
          failure: { code: 'c', reason: long },
        }),
      ),
    );
    expect(text.length).toBeLessThanOrEqual(3_000);
    expect(text).not.toMatch(/&(?!amp;)/);
  });
});
