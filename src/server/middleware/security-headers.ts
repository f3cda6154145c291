import helmet from 'helmet';
import type { OptionStore } from '../../core/site/option-store.ts';

type Options = Pick<OptionStore, 'get'>;

/**
 * Logos and framed pages may come from any site, because the owner sets them. Scripts come only from here, and from Turnstile and
 * Telegram while each is on.
 */
export function securityHeaders(scriptHashes: readonly string[], options: Options) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [() => scriptSources(options), ...scriptHashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', 'http:'],
        // Results of tasks: music and videos.
        mediaSrc: ["'self'", 'https:', 'http:'],
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

/** This site, and where the scripts of the human check and of Telegram's login widget are. */
function scriptSources(options: Options): string {
  const humanCheck = options.get('TurnstileCheckEnabled') ? ' https://challenges.cloudflare.com' : '';
  const telegram = options.get('TelegramOAuthEnabled') ? ' https://telegram.org' : '';
  return `'self'${humanCheck}${telegram}`;
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
