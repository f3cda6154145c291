import helmet from 'helmet';
import { ownPicture } from '../../core/kernel/picture-addresses.ts';
import { isWebAddress, ownFilePaths } from '../../core/kernel/shown-addresses.ts';
import type { OptionStore } from '../../core/site/option-store.ts';

type Options = Pick<OptionStore, 'get'>;

/**
 * Pictures and media come from here, and from the hosts of the logo and of WeChat's code, which the
 * owner sets; of what is here, the page itself narrows it to {@link ownSources}. Framed pages may
 * come from any site. Scripts come only from here, and from Turnstile and Telegram while each is
 * on.
 */
export function securityHeaders(scriptHashes: readonly string[], options: Options) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [() => scriptSources(options), ...scriptHashes],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', () => ownersSources(options)],
        mediaSrc: ["'self'"],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
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

const ownersPictures = ['Logo', 'WeChatAccountQRCodeImageURL'] as const;
/** Pictures of the console itself. */
const consolePictures = ['/assets/', '/mark.svg'] as const;

/** Origins of other sites where the owner of this one has pictures. */
function ownersSources(options: Options): string {
  const addresses = ownersPictures.map((key) => options.get(key)).filter(isWebAddress);
  return [...new Set(addresses.map((address) => new URL(address).origin))].join(' ');
}

/**
 * What a page of the console may load as pictures and media. Paths stand for those of the address
 * at which the page is opened, which only the page knows: proxies may rewrite the host. A script of
 * the page makes a policy of them (ui/index.html).
 */
export function ownSources(options: Options): { readonly images: string; readonly media: string } {
  const logo = ownPicture(options.get('Logo'));
  const paths = [
    ...ownFilePaths,
    ...consolePictures,
    ...(logo === undefined ? [] : [logo.split('?')[0] ?? '']),
  ];
  const sources = paths.map((path) => path.replaceAll(';', '%3B').replaceAll(',', '%2C'));
  return {
    images: `${sources.join(' ')} ${ownersSources(options)}`.trim(),
    media: ownFilePaths.join(' '),
  };
}

/** This site, and where the scripts of the human check and of Telegram's login widget are. */
function scriptSources(options: Options): string {
  const humanCheck = options.get('TurnstileCheckEnabled')
    ? ' https://challenges.cloudflare.com'
    : '';
  const telegram = options.get('TelegramOAuthEnabled') ? ' https://telegram.org' : '';
  return `'self'${humanCheck}${telegram}`;
}

/**
 * Where pages may post forms (docs/rules/security.md#form-targets): here, and to Epay's payment
 * page where there is one. Browsers also check where that page redirects to, and cashiers have
 * addresses of their own, so any https address is allowed then.
 */
export function formTargets(options: Options): string {
  const address = options.get('PayAddress');
  if (address === '' || !URL.canParse(address)) return "'self'";
  const { protocol, host, origin } = new URL(address);
  const isSource = protocol === 'http:' && /^[\w.:[\]-]+$/.test(host);
  return isSource ? `'self' https: ${origin}` : "'self' https:";
}
