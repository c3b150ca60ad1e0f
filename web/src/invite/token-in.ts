/** The token after `#` of an invitation's link; null where there is none. */
export function tokenIn(link: string): string | null {
  const [, ...fragment] = link.split('#');
  return new URLSearchParams(fragment.join('#')).get('token') || null;
}
