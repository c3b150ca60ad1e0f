/**
 * Makes objects that give out these properties of a client, each when it is asked for: Prisma builds the methods of a model
 * anew for every transaction, and building those of all models takes longer than most queries.
 */
export function onDemand<Client extends object, Name extends keyof Client>(
  names: readonly Name[],
): (client: Client) => Pick<Client, Name> {
  class Models {
    readonly #client: Client;

    constructor(client: Client) {
      this.#client = client;
    }

    static {
      for (const name of names) {
        Object.defineProperty(this.prototype, name, {
          get(this: Models) {
            return this.#client[name];
          },
        });
      }
    }
  }
  return (client) => new Models(client) as unknown as Pick<Client, Name>;
}
