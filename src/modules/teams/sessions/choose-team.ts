import { type FoundMembership } from '../../../platform/database';
import { ProblemError } from '../../../platform/errors';

/** The team of this slug, or the only one. Throws `team-required` or `not-a-member`. */
export function chooseTeam(memberships: FoundMembership[], slug: string | undefined): FoundMembership {
  if (slug === undefined && memberships.length > 1) {
    const slugs = memberships.map((membership) => membership.slug).join(', ');
    throw new ProblemError('team-required', `You are in several teams: ${slugs}.`);
  }
  const chosen =
    slug === undefined ? memberships[0] : memberships.find((membership) => membership.slug === slug);
  if (chosen) return chosen;
  const detail = slug === undefined ? 'You are in no team.' : `You are in no team with the slug ${slug}.`;
  throw new ProblemError('not-a-member', detail);
}
