import { Anchor, Text, Timeline } from '@mantine/core';
import { Link } from 'react-router';
import { Section } from '../report/section';
import { When } from '../runs/when';
import { reportAddress } from '../session/addresses';
import { actorWords, actWords, reasonWords } from './act-words';
import { usePeople } from './people';
import { type Regression } from './regression-query';

/** As many as an answer has; then there may be earlier ones. */
const MOST_ACTS = 200;

/** What the detector and people did with it, by whom and why, the latest first. */
export function History({ team, regression: { acts } }: { team: string; regression: Regression }) {
  const { people } = usePeople(team);
  return (
    <Section title="History">
      <Timeline bulletSize={12} lineWidth={1} active={-1}>
        {acts.map((act) => (
          <Timeline.Item key={act.id} title={actWords(act, people)}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {reasonWords(act)}
            </Text>
            <Text size="xs" c="dimmed">
              {`${actorWords(act)}, `}
              <When at={act.at} />
              {act.runId !== null && (
                <>
                  , at{' '}
                  <Anchor component={Link} to={reportAddress(team, act.runId)} inherit underline="always">
                    this run
                  </Anchor>
                </>
              )}
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
      {acts.length === MOST_ACTS && <Text size="sm">Earlier acts are not shown.</Text>}
    </Section>
  );
}
