export { OutboundFailed, OutboundRefused } from './outbound-error';
export { type OutboundAnswer, type OutboundCall, OutboundHttp, type OutboundPolicy } from './outbound-http';
export { type HostResolver } from './resolve-host';
