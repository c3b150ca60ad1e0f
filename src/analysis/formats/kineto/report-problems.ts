import { type ReadContext } from '../artifact-format';
import { type EventCollector } from './event-collector';
import { type BuiltTimeline } from '../../timeline/timeline-builder';
import { type TraceEnvelope } from './trace-envelope';
import { type TraceMetadataReader } from './trace-metadata';

/** The parts of a reader that count. */
export interface ReadParts {
  collector: EventCollector;
  envelope: TraceEnvelope;
  metadata: TraceMetadataReader;
  built: BuiltTimeline;
}

/** Writes everything that was skipped, repaired or found odd into the problem log. */
export function reportProblems(
  { path, problems }: ReadContext,
  { collector, envelope, metadata, built }: ReadParts,
): void {
  const { tally, names, strings, collectives, threads } = collector;
  const { timeline, links } = built;
  if (timeline.truncated) problems.add('truncated-file', path);
  if (timeline.device.count === 0) problems.add('no-device-events', path);
  problems.add('malformed-event', path, envelope.malformed, envelope.malformedExample);
  problems.add('malformed-event', path, metadata.unreadable, metadata.unreadableExample);
  problems.add('oversized-event', path, envelope.oversized, envelope.oversizedExample);
  problems.add('event-limit-reached', path, tally.overLimit + collectives.dropped);
  problems.add('string-limit-reached', path, strings.dropped + threads.dropped);
  problems.add('missing-field', path, tally.missingFields, tally.missingExample);
  problems.add('unknown-category', path, tally.unknownCategories, [...tally.categories].join(', '));
  problems.add('unused-phase', path, tally.otherPhases, tally.otherPhaseExample);
  problems.add('negative-duration', path, tally.negativeDurations);
  problems.add('implausible-duration', path, tally.implausibleDurations, tally.implausibleDurationExample);
  problems.add('implausible-time', path, tally.implausibleTimes + built.implausible);
  problems.add('invalid-text', path, names.invalidNames, names.invalidExample);
  problems.add('duplicate-event', path, built.duplicates);
  problems.add('kernel-before-launch', path, links.beforeLaunch);
  problems.add('launch-missing', path, links.missing);
}
