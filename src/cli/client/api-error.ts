/** The server refused a request; `message` is its problem in one line. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfterS: number | null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** Reads an error answer, problem+json or not. */
export async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text();
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  let problem: Partial<Record<'code' | 'title' | 'detail' | 'action' | 'errors', unknown>> = {};
  try {
    problem = JSON.parse(text) as typeof problem;
  } catch {
    // Not JSON: a proxy in between, or not a Stallscope server; the status and the beginning of the text must do.
  }
  const part = (value: unknown): string => (typeof value === 'string' ? value : '');
  const message =
    [part(problem.detail) || part(problem.title), fieldsOf(problem.errors), part(problem.action)]
      .filter(Boolean)
      .map((sentence) => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`))
      .join(' ') || text.slice(0, 200);
  return new ApiError(
    response.status,
    part(problem.code) || `http-${response.status}`,
    message,
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
}

/** Fields named in a terminal; the rest are like them. */
const MOST_FIELDS = 10;

/** The fields that are wrong, where the detail does not name the only one already. */
function fieldsOf(errors: unknown): string {
  const items = Array.isArray(errors) ? (errors as { field?: unknown; message?: unknown }[]) : [];
  if (items.length < 2) return '';
  const named = items
    .slice(0, MOST_FIELDS)
    .map(({ field, message }) => `${String(field)}: ${String(message)}`);
  return named.join('; ') + (items.length > MOST_FIELDS ? '; …' : '');
}
