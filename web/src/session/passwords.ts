/** Fewest characters of a password that the API takes for an account. */
export const SHORTEST_PASSWORD = 12;
