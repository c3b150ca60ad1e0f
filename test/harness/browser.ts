import { parseSetCookie } from 'cookie';

const mostRedirects = 15;

interface JarCookie {
  origin: string;
  path: string;
  name: string;
  value: string;
}

/** As much of a browser as redirects and cookies need. */
export class Browser {
  private readonly jar: JarCookie[] = [];

  /** One request, without following redirects. Keeps the cookies of the answer. */
  async get(address: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    const cookie = this.cookiesFor(url);
    const headers = { ...(init.headers as Record<string, string>), ...(cookie && { Cookie: cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(url, line);
    return response;
  }

  /** Follows redirects until there is an answer, or until `stopAt` says that the next address is not to be visited. */
  async follow(
    address: string,
    {
      visit = (url) => url,
      stopAt = () => false,
    }: { visit?(url: URL): URL; stopAt?(url: URL): boolean } = {},
  ): Promise<{ url: URL; response: Response }> {
    let url = visit(new URL(address));
    for (let hops = 0; hops < mostRedirects; hops++) {
      const response = await this.get(url.href);
      const location = response.headers.get('location');
      if (location === null) return { url, response };
      const next = visit(new URL(location, url));
      if (stopAt(next)) return { url: next, response };
      url = next;
    }
    throw new Error(`more than ${mostRedirects} redirects, the last to ${url.href}`);
  }

  /** The cookie that the browser would send there. */
  cookie(address: string, name: string): string | undefined {
    const url = new URL(address);
    return this.jar.find((one) => one.name === name && matches(one, url))?.value;
  }

  private cookiesFor(url: URL): string {
    return this.jar
      .filter((one) => matches(one, url))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  private keep({ origin }: URL, line: string): void {
    const { name, value = '', path = '/', maxAge, expires } = parseSetCookie(line);
    const index = this.jar.findIndex(
      (one) => one.origin === origin && one.name === name && one.path === path,
    );
    if (index >= 0) this.jar.splice(index, 1);
    const isGone = maxAge === undefined ? expires !== undefined && expires <= new Date() : maxAge <= 0;
    if (!isGone) this.jar.push({ origin, path, name, value });
  }
}

function matches({ origin, path }: JarCookie, url: URL): boolean {
  const under = url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
  return origin === url.origin && under;
}
