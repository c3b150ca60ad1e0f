import { type Config, CONFIG_TOKEN } from '../../platform/config';
import { OutboundHttp } from '../../platform/outbound-http';

/** Calls to receivers, within the limits that the operator set. */
export const outboundProvider = {
  provide: OutboundHttp,
  inject: [CONFIG_TOKEN],
  useFactory: ({ webhooks }: Config) => new OutboundHttp(webhooks),
};
