import { type ProblemDefinition } from './problem-definition';

/** What can be wrong with any request, whatever it asks for. */
export const requestProblems = {
  'validation-failed': {
    status: 400,
    title: 'The request is not valid',
    action: 'Correct the fields listed in errors and send the request again.',
  },
  'cursor-invalid': {
    status: 400,
    title: 'The cursor cannot be used',
    action: 'Pass nextCursor of the page before with the same filters and order, or start without a cursor.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    action: 'Send a complete JSON document, encoded as UTF-8.',
  },
  'malformed-request': {
    status: 400,
    title: 'The request cannot be read',
    action: 'Check the address, the headers and the encoding of the request.',
  },
  'route-not-found': {
    status: 404,
    title: 'There is nothing at this address',
    action: 'Check method and path against /openapi.json.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    action: 'Check the identifier, and that your credential belongs to the right team.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    action: 'Send the request again over a faster connection.',
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with what is there',
    action: 'Read the current state and decide again.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The request is too large',
    action: 'Send less, or use the upload that is meant for large files.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not supported',
    action: 'Send JSON with the header Content-Type: application/json.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    action: 'Wait for the number of seconds in the Retry-After header.',
  },
} as const satisfies Record<string, ProblemDefinition>;
