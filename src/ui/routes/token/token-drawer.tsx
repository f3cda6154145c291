/** Create one or many tokens, or edit one. */
import { Suspense } from 'react';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { BudgetSection } from '../../components/budgets/lazy.tsx';
import { EntityDrawer } from '../../form/entity-drawer.tsx';
import { useEntityForm } from '../../form/use-entity-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshTokens } from '../../queries/use-invalidate.ts';
import {
  changedInput,
  checkToken,
  fieldOfCode,
  newToken,
  type TokenValues,
  tokenInput,
  tokenValues,
} from './token-form.ts';
import { useTokenFields } from './use-token-fields.ts';

interface TokenDrawerProps {
  /** null: a new one. */
  readonly token: TokenEntity | null;
  readonly onClose: () => void;
  readonly onCreated: (tokens: readonly TokenEntity[]) => void;
}

export function TokenDrawer({ token, onClose, onCreated }: TokenDrawerProps) {
  const { t } = useTranslation();
  const refresh = useRefreshTokens();
  const creating = token === null;
  const form = useEntityForm<TokenValues, readonly TokenEntity[]>({
    creating,
    before: token === null ? newToken : tokenValues(token),
    reread:
      token === null
        ? undefined
        : async () => tokenValues(await client.token.get({ id: token.id })),
    check: (values) =>
      Object.fromEntries(
        Object.entries(checkToken(values)).map(([field, text]) => [field, t(text)]),
      ),
    fieldOf: ({ code }) => (code === undefined ? undefined : fieldOfCode[code]),
    save: async (values, changed) => {
      if (token === null)
        return client.token.createMany({ ...tokenInput(values), count: Number(values.count) });
      await client.token.update({ ...changedInput(values, changed), id: token.id });
      return [];
    },
    onSaved: async (created) => {
      await refresh();
      onClose();
      if (creating) onCreated(created);
      else toastSuccess(t('token.form.saved'));
    },
  });
  return (
    <EntityDrawer
      form={form}
      fields={useTokenFields(form.values, form.before, creating)}
      title={t(creating ? 'token.form.new' : 'token.form.edit')}
      subtitle={token === null ? t('token.form.new.hint') : `#${token.id} · ${token.name}`}
      submitLabel={t(creating ? 'token.form.new' : 'common.save')}
      onClose={onClose}
    >
      {token !== null && (
        <Suspense fallback={null}>
          <BudgetSection kind="token" id={token.id} />
        </Suspense>
      )}
    </EntityDrawer>
  );
}
