/** Asked every few seconds by orchestrators and load balancers: not worth a line or a span each. */
export const quietPaths = /^\/health(\/|$)/;
