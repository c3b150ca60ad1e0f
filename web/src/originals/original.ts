import { type Schemas } from '../api/client';
import { ProblemError, toProblem, unreachable } from '../api/problem';
import { session } from '../session/session';

export type Artifact = Schemas['ListedRunArtifact'];

/** Asks for the bytes of a file as they were uploaded. Throws ProblemError. */
export async function fetchOriginal(
  team: string,
  runId: string,
  { id }: Artifact,
  signal?: AbortSignal,
): Promise<Response> {
  const path = `/v1/runs/${runId}/artifacts/${id}/content`;
  const response = await session.fetch(team, new Request(path, { signal }));
  if (!response.ok) throw new ProblemError(toProblem(await response.json().catch(() => null), response));
  return response;
}

/** All bytes of an answer, which tells as they come how many there are. Throws ProblemError when some do not come. */
export async function readWhole(
  response: Response,
  sizeBytes: number,
  onProgress: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sizeBytes);
  const reader = response.body?.getReader();
  let filled = 0;
  for (;;) {
    const next = await reader?.read().catch((error: unknown) => {
      throw error instanceof DOMException && error.name === 'AbortError' ? error : unreachable(response.url);
    });
    if (!next || next.done) break;
    bytes.set(next.value, filled);
    filled += next.value.length;
    onProgress(filled);
  }
  if (filled !== sizeBytes) throw unreachable(response.url);
  return bytes;
}
