import { type Config } from '../../platform/config';
import { type AttemptRules } from './attempts.repository';

/** Three times what a request may take. */
const leaseMs = 30_000;
/** Enough for a receiver that is well, few enough for one that is not. */
const perEndpoint = 2;
/** A quarter of what one worker does at a time, unless configured otherwise. */
const perTeam = 8;
/** Each has been tried for a day, so the receiver has been away for longer than that. */
const failuresToDisable = 5;

/** What attempts at deliveries are bound by. */
export function attemptRules({ webhooks }: Config): AttemptRules {
  return { maxAttempts: webhooks.attempts, perEndpoint, perTeam, leaseMs, failuresToDisable };
}
