/** Connections under the outbound guard: the address that was checked is the one that is used. */
import { lookup as dnsLookup } from 'node:dns';
import { isIP } from 'node:net';
import { AppError } from '../kernel/errors.ts';
import { type GuardPolicy, isPublicAddress, isTrusted } from './guard.ts';
import { buildConnector } from './undici.ts';

/** An undici connector that resolves names and refuses addresses that the policy forbids. */
export function guardedConnector(policy: GuardPolicy): buildConnector.connector {
  const dialTrusted = buildConnector({});
  const dial = buildConnector({
    lookup: (host, options, callback) => {
      dnsLookup(host, { ...options, all: true }, (error, found) => {
        if (error !== null) return callback(error, '', 0);
        if (found.some(({ address }) => !isPublicAddress(address))) {
          return callback(
            new AppError('address_not_allowed', { host }) as NodeJS.ErrnoException,
            '',
            0,
          );
        }
        if (options.all === true)
          return (callback as unknown as (error: null, all: typeof found) => void)(null, found);
        const first = found[0];
        if (first === undefined)
          return callback(
            new AppError('file_unreachable', { host }) as NodeJS.ErrnoException,
            '',
            0,
          );
        return callback(null, first.address, first.family);
      });
    },
  });
  return (options, callback) => {
    if (policy.allowPrivate || isTrusted(policy, { ...options, port: options.port ?? '' }))
      return dialTrusted(options, callback);
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isPublicAddress(host))
      return callback(new AppError('address_not_allowed', { host }), null);
    return dial(options, callback);
  };
}
