import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { required, withDefault } from './variable';
import { flag, integer } from './variable-types';

const shortestKey = 32;
const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

/** Text that lists hosts: names, addresses and ranges of addresses, separated by commas. */
function hostList() {
  return z
    .string()
    .transform((text) =>
      text
        .toLowerCase()
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .refine((entries) => entries.every(isHostEntry), {
      message: 'must be names, addresses or ranges such as chat.internal,10.1.2.3,10.1.0.0/16',
    });
}

function isHostEntry(entry: string): boolean {
  return ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry) || hostName.test(entry);
}

/** Webhooks: signing, sending, and whom they may reach. */
export const webhookVariables = {
  WEBHOOK_KEY: required(
    'Key that the signing secrets of webhooks are derived from, 32 characters or more; a new one changes all of them: openssl rand -base64 48',
    z.string().min(shortestKey, `must have at least ${shortestKey} characters`),
  ),
  WEBHOOK_ALLOW_HTTP: withDefault(
    'true lets webhooks go over plain HTTP; only for receivers on the same machine or network.',
    'false',
    flag(),
  ),
  WEBHOOK_ALLOWED_PRIVATE_HOSTS: withDefault(
    'Hosts of your own network that webhooks may reach: names, addresses and ranges, such as chat.internal,10.1.0.0/16. None unless given.',
    '',
    hostList(),
  ),
  WEBHOOK_POLL_S: withDefault('How often events are handed to webhooks, seconds.', '2', integer(1, 300)),
  WEBHOOK_ATTEMPTS: withDefault('Attempts at one delivery before it fails.', '8', integer(1, 20)),
  WEBHOOK_RETRY_BASE_S: withDefault(
    'Pause after the first failed attempt, seconds; each later one is four times as long. 15 and 8 attempts make 23 hours.',
    '15',
    integer(1, 3600),
  ),
  WEBHOOK_CONCURRENCY: withDefault(
    'Webhook requests that one worker process has under way at a time.',
    '32',
    integer(1, 1000),
  ),
  WEBHOOK_KEEP_DAYS: withDefault('How long ended deliveries can be looked at, days.', '30', integer(1, 3650)),
};
