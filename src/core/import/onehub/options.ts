/** Options of one-hub (model/option.go, 2026-02-20): the others are One API's. */
import { priceOptionKeys } from '../../pricing/tables.ts';

/** Ours, by its names. */
const renamed: Readonly<Record<string, string>> = {
  OIDCAuthEnabled: 'oidc.enabled',
  OIDCClientId: 'oidc.client_id',
  OIDCClientSecret: 'oidc.client_secret',
  OIDCIssuer: 'oidc.well_known',
  DisableChannelKeywords: 'AutomaticDisableKeywords',
  EnableSafe: 'CheckSensitiveEnabled',
  SafeKeyWords: 'SensitiveWords',
};
/** Values that are written otherwise here. */
const rewritten: Readonly<Record<string, (value: string) => string>> = {
  OIDCIssuer: (value) =>
    value === '' ? '' : `${value.replace(/\/+$/, '')}/.well-known/openid-configuration`,
};

/** Left in the table by the One API that a site was before: one-hub has tables for them. */
export const unusedOptions: ReadonlySet<string> = new Set([...priceOptionKeys, 'UserUsableGroups']);

/** With our names. */
export const optionsOfOneHub = (
  options: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(
    [...options].map(([key, value]) => [renamed[key] ?? key, rewritten[key]?.(value) ?? value]),
  );
