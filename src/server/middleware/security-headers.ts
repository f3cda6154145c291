import helmet from 'helmet';
import type { OptionStore } from '../../core/site/option-store.ts';

type Options = Pick<OptionStore, 'get'>;

/**
 * Logos and framed pages may come from any site, because the owner sets them. Scripts come only from here, from Turnstile, and from
 * Telegram while its login is on.
 */
export function securityHeaders(scriptHashes: readonly string[], options: Options) {
  const humanCheck = 'https://challenges.cloudflare.com';
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [() => scriptSources(options), humanCheck, ...scriptHashes],
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

/** This site, and where the script of Telegram's login widget is. */
function scriptSources(options: Options): string {
  return options.get('TelegramOAuthEnabled') ? "'self' https://telegram.org" : "'self'";
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
