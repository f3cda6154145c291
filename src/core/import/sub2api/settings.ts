/** Groups and settings of a sub2api site become options. */
import { defaultGroupRatio } from '../../pricing/defaults.ts';
import type { Storage, StoredOption } from '../../storage/storage.ts';
import { toText, toTrimmed } from '../convert.ts';
import { mapOption } from '../mapping/options.ts';
import { Notes } from '../notes.ts';
import type { TableReport } from '../report.ts';
import { rowsOf } from '../rows-of.ts';
import type { OldSite } from './old-site.ts';
import type { OldSiteReader } from './reader.ts';

/** Settings that have a counterpart. */
const options: Readonly<Record<string, string>> = {
  site_name: 'SystemName',
  registration_enabled: 'RegisterEnabled',
  email_verify_enabled: 'EmailVerificationEnabled',
  smtp_host: 'SMTPServer',
  smtp_port: 'SMTPPort',
  smtp_username: 'SMTPAccount',
  smtp_from: 'SMTPFrom',
  smtp_password: 'SMTPToken',
  turnstile_enabled: 'TurnstileCheckEnabled',
  turnstile_site_key: 'TurnstileSiteKey',
  turnstile_secret_key: 'TurnstileSecretKey',
};

/** Options that the site has set already are kept. */
export async function carrySettings(
  site: OldSite,
  reader: OldSiteReader,
  storage: Storage | null,
): Promise<TableReport[]> {
  const set = new Set((await storage?.options.list())?.map(({ key }) => key));
  const written: StoredOption[] = [];
  const carry = (key: string, value: string, notes: Notes): 'carried' | 'there' | 'left out' => {
    if (set.has(key)) return 'there';
    const option = mapOption(key, value, notes);
    if (option === undefined) return 'left out';
    written.push(option);
    return 'carried';
  };
  const reports = [carryGroups(site, carry), await carryRows(reader, carry)];
  await storage?.options.setMany(written);
  return reports;
}

type Carry = (key: string, value: string, notes: Notes) => 'carried' | 'there' | 'left out';

function carryGroups({ groups }: OldSite, carry: Carry): TableReport {
  const notes = new Notes();
  const alive = [...groups.values()].filter(({ isDeleted }) => !isDeleted);
  for (const { id, name, isDeleted } of groups.values())
    if (isDeleted) notes.add('deleted_there', `${id} ${name}`);
  const ratios = Object.fromEntries(alive.map(({ name, ratio }) => [name, ratio]));
  const open = alive.filter(({ isOpen }) => isOpen);
  const usable = Object.fromEntries(open.map(({ name, description }) => [name, description]));
  const place = carry(
    'GroupRatio',
    JSON.stringify({ default: defaultGroupRatio['default'] ?? 1, ...ratios }),
    notes,
  );
  carry('UserUsableGroups', JSON.stringify(usable), notes);
  const carried = place === 'carried' ? alive.length : 0;
  const alreadyThere = place === 'there' ? alive.length : 0;
  const leftOut = groups.size - carried - alreadyThere;
  return {
    table: 'groups',
    read: groups.size,
    carried,
    leftOut,
    alreadyThere,
    notes: notes.list(),
  };
}

async function carryRows(reader: OldSiteReader, carry: Carry): Promise<TableReport> {
  const notes = new Notes();
  const counts = { carried: 0, there: 0, 'left out': 0 };
  for await (const row of rowsOf(reader, 'settings', 'key')) {
    const key = toTrimmed(row['key']);
    const value = toText(row['value']);
    const name = options[key];
    if (name === undefined || value === '') {
      if (value !== '') notes.add('option_not_used', key);
      counts['left out'] += 1;
    } else counts[carry(name, value, notes)] += 1;
  }
  return {
    table: 'settings',
    read: counts.carried + counts.there + counts['left out'],
    carried: counts.carried,
    leftOut: counts['left out'],
    alreadyThere: counts.there,
    notes: notes.list(),
  };
}
