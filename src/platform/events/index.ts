export { type EventType, eventTypes } from './event-types';
export { type NewEvent, recordEvent } from './record-event';
