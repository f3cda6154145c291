/**
 * Options by key: what cannot be read is left out entry by entry, so that one bad price does not
 * cost the whole table.
 */
import { isObject, parseJson } from '../../kernel/json.ts';
import {
  isOptionKey,
  isSecretOption,
  type OptionKey,
  parseOption,
  writeOption,
} from '../../options/index.ts';
import type { StoredOption } from '../../storage/storage.ts';
import { groupRatesOption } from '../group-rates.ts';
import type { Notes } from '../notes.ts';
import { expressionOptions } from '../price-expressions.ts';

/** Names of what we call otherwise. */
const renamed: Readonly<Record<string, string>> = {
  OidcEnabled: 'oidc.enabled',
  OidcClientId: 'oidc.client_id',
  OidcClientSecret: 'oidc.client_secret',
  OidcWellKnown: 'oidc.well_known',
  OidcAuthorizationEndpoint: 'oidc.authorization_endpoint',
  OidcTokenEndpoint: 'oidc.token_endpoint',
  OidcUserinfoEndpoint: 'oidc.user_info_endpoint',
  'passkey.enabled': 'PasskeyLoginEnabled',
  'general_setting.quota_display_type': 'DisplayInCurrencyEnabled',
};
/** Values that are written otherwise here. */
const rewritten: Readonly<Record<string, (value: string) => string>> = {
  'general_setting.quota_display_type': (value) => String(value !== 'TOKENS'),
};
/** Options of One API that nothing here corresponds to. */
const unused = /^(Theme|ApproximateTokenEnabled|Lark.*)$/;
/** Unknown options that probably are secrets are stored encrypted. */
const looksSecret = /secret|token|password|key|credential/i;

/** What is stored for an option of the source; undefined: nothing. */
export function mapOption(
  sourceKey: string,
  value: string,
  notes: Notes,
): StoredOption | undefined {
  if (unused.test(sourceKey)) {
    notes.add('option_not_used', sourceKey);
    return undefined;
  }
  const key = renamed[sourceKey] ?? sourceKey;
  if (!isOptionKey(key)) {
    if (!expressionOptions.has(key) && key !== groupRatesOption)
      notes.add('option_unknown_kept', sourceKey);
    return { key, value, hidden: looksSecret.test(key) };
  }
  const readable = readOption(key, rewritten[sourceKey]?.(value) ?? value, notes);
  if (readable === undefined) {
    notes.add('option_invalid', sourceKey);
    return undefined;
  }
  return { key, value: readable, hidden: isSecretOption(key) };
}

/** The canonical text; undefined where nothing of it can be read. */
function readOption(key: OptionKey, value: string, notes: Notes): string | undefined {
  const whole = attempt(key, value);
  if (whole !== undefined) return whole;
  const table = parseJson(value);
  if (isObject(table)) {
    const kept = Object.entries(table).filter(([name, entry]) =>
      keeps(key, JSON.stringify({ [name]: entry }), name, notes),
    );
    return attempt(key, JSON.stringify(Object.fromEntries(kept)));
  }
  if (Array.isArray(table)) {
    const kept = table.filter((entry, index) =>
      keeps(key, JSON.stringify([entry]), String(index), notes),
    );
    return attempt(key, JSON.stringify(kept));
  }
  return undefined;
}

function keeps(key: OptionKey, alone: string, name: string, notes: Notes): boolean {
  if (attempt(key, alone) !== undefined) return true;
  notes.add('option_entry_dropped', `${key} ${name}`);
  return false;
}

function attempt(key: OptionKey, value: string): string | undefined {
  try {
    return writeOption(key, parseOption(key, value));
  } catch {
    return undefined;
  }
}
