import { type RequestHandler } from 'express';

const hstsMaxAgeS = 31_536_000;
// An answer of the API is data: nothing in it may be run, framed or loaded.
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
// Pages (the web application and Swagger UI): scripts from here only; the styles of Swagger UI are inline.
const pagePolicy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

const dataPaths = /^\/(v\d+|health|openapi\.json)(\/|$)/i;

/** Whether the path is one of the API, whose answers are data. */
export const isApiPath = (path: string): boolean => dataPaths.test(path);

/** Sets the headers that keep browsers from doing harm with an answer; HSTS when clients reach us over https. */
export function securityHeaders(publicUrl: string | undefined): RequestHandler {
  const overHttps = publicUrl?.startsWith('https://') ?? false;
  return (request, response, next) => {
    const isData = isApiPath(request.path);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Frame-Options', 'DENY');
    response.setHeader('Referrer-Policy', 'no-referrer');
    // Pages hand traces to a window that they open on another site, which has to be able to answer.
    response.setHeader('Cross-Origin-Opener-Policy', isData ? 'same-origin' : 'same-origin-allow-popups');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Content-Security-Policy', isData ? dataPolicy : pagePolicy);
    if (overHttps)
      response.setHeader('Strict-Transport-Security', `max-age=${hstsMaxAgeS}; includeSubDomains`);
    // Answers depend on who asks and hold a team's data: no cache may keep them.
    if (isData) response.setHeader('Cache-Control', 'no-store');
    next();
  };
}
