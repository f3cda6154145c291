/** API tokens: note, list, drawer, ticket of a new key. */

import { ActionIcon } from '@mantine/core';
import { TriangleAlert, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenFilters } from '../../../core/entities/token-filters.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { readStored, storageKeys, writeStored } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { latePart } from '../../client/late-part.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { useFilterBar } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useDraft } from '../../list/use-draft.ts';
import { useBudgetsAbout } from '../../queries/use-budgets.ts';
import { useRefreshTokens } from '../../queries/use-invalidate.ts';
import classes from './token.module.css';
import { useTokenActions } from './token-actions.tsx';
import { useTokenColumns } from './token-columns.tsx';
import { useTokenBulk } from './use-token-bulk.ts';
import { useTokens } from './use-tokens.ts';

// Forms load when somebody opens one: the list must be there first.
const TokenDrawer = latePart(async () => ({
  default: (await import('./token-drawer.tsx')).TokenDrawer,
}));
const TokenTicket = latePart(async () => ({
  default: (await import('./token-ticket.tsx')).TokenTicket,
}));

const loadToken = (id: number) => client.token.get({ id });

export function TokenScreen() {
  const { t } = useTranslation();
  const tokens = useTokens();
  const refresh = useRefreshTokens();
  const { draft, create, edit, close } = useDraft<TokenEntity>('token', loadToken);
  const [created, setCreated] = useState<readonly TokenEntity[]>([]);
  const ids = tokens.rows?.map(({ id }) => id);
  const columns = useTokenColumns(useBudgetsAbout('token', ids));
  const offers = {
    keyword: { kind: 'search', width: 220 },
    key: { kind: 'search', placeholder: t('token.search.key'), width: 200, primary: false },
    status: {
      always: true,
      options: Object.values<number>(tokenStatuses).map((status) => ({
        value: String(status),
        label: t(wordKey('status.token', status)),
      })),
    },
    expiresFrom: false,
    expiresTo: false,
  } as const;
  const filters = useFilterBar(tokenFilters, undefined, offers, 'owner');
  const { rowActions, batchActions } = useTokenActions({
    onEdit: edit,
    onDone: () => tokens.select([]),
  });
  return (
    <ListScreen
      list={tokens}
      title={t('token.title')}
      subtitle={t('token.subtitle')}
      create={{ label: t('token.new'), onCreate: create }}
      note={<SelfUseNote />}
      filters={filters}
      onRefresh={refresh}
      nameOf={(token) => token.name}
      columns={columns}
      columnsKey={storageKeys.tokenColumns}
      rowState={(token) => (token.status === tokenStatuses.disabled ? 'dimmed' : undefined)}
      rowActions={rowActions}
      onOpen={edit}
      batch={{ label: t('token.bulk.label'), actions: batchActions, bulk: useTokenBulk(tokens) }}
      texts={{ failed: t('token.failed'), noMatch: t('token.noMatch') }}
      empty={{ title: t('token.empty.title'), text: t('token.empty.text') }}
    >
      <Suspense fallback={null}>
        {draft !== undefined && (
          <TokenDrawer
            key={draft?.id ?? 'new'}
            token={draft}
            onClose={close}
            onCreated={setCreated}
          />
        )}
        {created.length > 0 && <TokenTicket tokens={created} onClose={() => setCreated([])} />}
      </Suspense>
    </ListScreen>
  );
}

/** Tokens are for self use only; the note can be dismissed for good. */
function SelfUseNote() {
  const { t } = useTranslation();
  const [closed, setClosed] = useState(() => readStored(storageKeys.tokenBannerClosed) === 'true');
  if (closed) return null;
  return (
    <div className={classes.banner} role="note">
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <p>{t('token.banner')}</p>
      <ActionIcon
        size={24}
        aria-label={t('token.banner.close')}
        onClick={() => {
          writeStored(storageKeys.tokenBannerClosed, 'true');
          setClosed(true);
        }}
      >
        <X size={14} />
      </ActionIcon>
    </div>
  );
}
