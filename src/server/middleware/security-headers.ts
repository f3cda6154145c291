import helmet from 'helmet';
import type { OptionStore } from '../../core/site/option-store.ts';

type Options = Pick<OptionStore, 'get'>;

/** Logos and framed pages may come from any site, because the owner sets them. Scripts come only from here, and from Turnstile while it is on. */
export function securityHeaders(scriptHashes: readonly string[], options: Options) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", () => humanCheckSource(options), ...scriptHashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', 'http:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", 'https:'],
        frameSrc: ["'self'", 'https:', 'http:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: [() => formTargets(options)],
        frameAncestors: ["'self'"],
      },
    },
    // No HSTS: the operator decides whether the site is reachable over https only.
    strictTransportSecurity: false,
    originAgentCluster: false,
    crossOriginOpenerPolicy: false,
  });
}

/** The script of the human check, while that is on. */
function humanCheckSource(options: Options): string {
  return options.get('TurnstileCheckEnabled') ? 'https://challenges.cloudflare.com' : "'self'";
}

/**
 * Where pages may post forms (docs/rules/security.md#form-targets): here, and to Epay's payment page where there is one. Browsers
 * also check where that page redirects to, and cashiers have addresses of their own, so any https address is allowed then.
 */
export function formTargets(options: Options): string {
  const address = options.get('PayAddress');
  if (address === '' || !URL.canParse(address)) return "'self'";
  const { protocol, host, origin } = new URL(address);
  const isSource = protocol === 'http:' && /^[\w.:[\]-]+$/.test(host);
  return isSource ? `'self' https: ${origin}` : "'self' https:";
}
