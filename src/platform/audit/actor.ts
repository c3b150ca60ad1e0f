/** Kinds of those who act; `system` is the product itself, when nobody asked. */
export const actorKinds = ['user', 'token', 'serviceAccount', 'operator', 'system', 'anonymous'] as const;

/** Who does something, as the audit log names them. */
export interface Actor {
  kind: (typeof actorKinds)[number];
  /** Id of the user, the token or the service account; null for all others. */
  id: string | null;
  /** As people know them: an e-mail address, the name of a token. */
  name: string | null;
  requestId: string | null;
  /** Network address of the client. */
  address: string | null;
}

const nobody = { id: null, name: null, requestId: null, address: null };

/** Who acts with the commands of the installation. */
export const operator: Actor = { kind: 'operator', ...nobody };

/** The product itself. */
export const system: Actor = { kind: 'system', ...nobody };
