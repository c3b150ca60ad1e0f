import { isProblem, ProblemError } from '../api/problem';

const COOKIE = 'stallscope_problem';

/** Why a sign-in with the organisation's provider failed, which the server left for this page; once, null otherwise. */
export function takeSignInProblem(): ProblemError | null {
  const value = document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
  if (value === undefined) return null;
  document.cookie = `${COOKIE}=; Path=/sign-in; Max-Age=0`;
  try {
    const problem: unknown = JSON.parse(decodeURIComponent(value));
    return isProblem(problem) ? new ProblemError(problem) : null;
  } catch {
    return null;
  }
}
