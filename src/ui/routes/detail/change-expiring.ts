/** One change of all tokens that end within a week; loaded with the first click. */
import { client } from '../../client/api.ts';
import { loadTextPart } from '../../i18n/index.ts';
import { openBulk } from '../../list/bulk-dialog.tsx';
import { tokenSubject } from '../../list/token-bulk.ts';
import type { ExpiringTokens } from './expiring-tokens.ts';

/** Asks for a new expiry, shows what changes, and changes it. */
export async function changeExpiring(
  { match, refresh }: ExpiringTokens,
  title: string,
): Promise<void> {
  await loadTextPart('bulk');
  const { acts, ...subject } = tokenSubject({
    groups: [],
    refresh,
    onDone: () => undefined,
    title,
    call: (input) => client.bulk.userTokens(input),
  });
  const offered = acts.filter(({ key }) => key === 'expires' || key === 'disable').reverse();
  await openBulk({ ...subject, acts: offered }, { match });
}
