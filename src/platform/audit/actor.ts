/** Who does something, as the audit log names them. */
export interface Actor {
  kind: 'user' | 'token' | 'serviceAccount' | 'operator' | 'anonymous';
  /** Id of the user, the token or the service account; null for operators and for nobody known. */
  id: string | null;
  /** As people know them: an e-mail address, the name of a token. */
  name: string | null;
  requestId: string | null;
  /** Network address of the client. */
  address: string | null;
}

/** Who acts with the commands of the installation. */
export const operator: Actor = { kind: 'operator', id: null, name: null, requestId: null, address: null };
