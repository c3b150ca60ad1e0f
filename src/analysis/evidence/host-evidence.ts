import { z } from 'zod';
import { type ThreadRole } from '../formats/host-profile';
import { type HostActivityKind } from '../timeline/function-activity';
import {
  hostActivitySchema,
  hostFunctionSchema,
  hostProfileSchema,
  type HostProfileReport,
} from './host-profile-schema';

/** What a profile of the host says for a finding: only of the threads that the finding is about. */
export const hostEvidenceSchema = hostProfileSchema.pick({ source: true, unit: true }).extend({
  role: hostActivitySchema.shape.role,
  sampleCount: z.number().int().nonnegative(),
  activities: z.array(hostActivitySchema.pick({ activity: true, share: true })),
  functions: z.array(hostFunctionSchema.omit({ role: true })),
  gil: hostProfileSchema.shape.gil,
});
export type HostEvidence = z.infer<typeof hostEvidenceSchema>;

const MAX_ACTIVITIES = 4;
const MAX_FUNCTIONS = 5;
/** Share of a role's time from which one activity is worth fixing before all others. */
const DOMINANT_SHARE = 0.2;

/** The evidence of the first of these roles that the profile saw at work; undefined when it saw none. */
export function hostEvidence(
  profile: HostProfileReport | null,
  roles: readonly ThreadRole[],
): HostEvidence | undefined {
  const role = roles.find((r) => profile?.activities.some((a) => a.role === r));
  if (!profile || !role) return undefined;
  return {
    source: profile.source,
    unit: profile.unit,
    role,
    sampleCount: Math.min(
      Number.MAX_SAFE_INTEGER,
      profile.threads.filter((t) => t.role === role).reduce((sum, t) => sum + t.sampleCount, 0),
    ),
    activities: profile.activities
      .filter((a) => a.role === role)
      .slice(0, MAX_ACTIVITIES)
      .map(({ activity, share }) => ({ activity, share })),
    functions: profile.functions
      .filter((f) => f.role === role)
      .slice(0, MAX_FUNCTIONS)
      .map(({ name, file, activity, selfShare, inclusiveShare }) => ({
        name,
        file,
        activity,
        selfShare,
        inclusiveShare,
      })),
    gil: profile.gil,
  };
}

/** The activity to fix first; null when none stands out, or when what does is code of no known kind. */
export function dominantActivity(evidence: HostEvidence | undefined): HostActivityKind | null {
  const telling = evidence?.activities.find((a) => a.activity !== 'framework' && a.activity !== 'user-code');
  return telling && telling.share >= DOMINANT_SHARE ? telling.activity : null;
}
