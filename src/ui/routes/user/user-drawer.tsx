/** Add a user, or edit one. */

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { UserEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useUser } from '../../client/session.ts';
import { BudgetSection } from '../../components/budgets/lazy.tsx';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { EntityDrawer } from '../../form/entity-drawer.tsx';
import { useEntityForm } from '../../form/use-entity-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshUsers } from '../../queries/use-invalidate.ts';
import { isAllowed } from './allowed.ts';
import { useUserFields } from './use-user-fields.ts';
import {
  changedInput,
  checkUser,
  fieldOf,
  limitsOf,
  newUser,
  newUserInput,
  type UserValues,
  userValues,
} from './user-form.ts';

/** Removes the second factors of a user who has lost them (docs/rules/accounts.md#lost-factors). */
function ResetFactors({ user }: { readonly user: UserEntity }) {
  const { t } = useTranslation();
  const actor = useUser();
  const reset = useMutation({
    mutationFn: () => client.secondFactor.reset({ id: user.id }),
    onSuccess: () => toastSuccess(t('user.factors.done', { name: user.username })),
  });
  if (actor?.id === user.id || !isAllowed('update', actor, user)) return null;
  const ask = () =>
    confirmDanger({
      title: t('user.factors.title', { name: user.username }),
      text: t('user.factors.text'),
      confirm: t('user.factors.reset'),
      onConfirm: () => reset.mutate(),
    });
  return (
    <Button
      variant="default"
      mt={16}
      style={{ alignSelf: 'flex-start' }}
      loading={reset.isPending}
      onClick={ask}
    >
      {t('user.factors.reset')}
    </Button>
  );
}

interface UserDrawerProps {
  /** null: a new one. */
  readonly user: UserEntity | null;
  readonly onClose: () => void;
}

export function UserDrawer({ user, onClose }: UserDrawerProps) {
  const { t } = useTranslation();
  const refresh = useRefreshUsers();
  const creating = user === null;
  const before = user === null ? newUser : userValues(user);
  const form = useEntityForm<UserValues, void>({
    creating,
    before,
    reread:
      user === null
        ? undefined
        : async () => ({
            ...userValues(await client.user.get({ id: user.id })),
            // Saved as a difference, which overwrites nothing.
            quota: before.quota,
          }),
    check: (values, before) =>
      Object.fromEntries(
        Object.entries(checkUser(values, before, creating)).map(([field, text]) => [
          field,
          t(text, limitsOf(field)),
        ]),
      ),
    fieldOf,
    save: async (values, changed, before) => {
      if (user === null) await client.user.create(newUserInput(values));
      else await client.user.update({ ...changedInput(values, before, changed), id: user.id });
    },
    onSaved: async () => {
      await refresh();
      onClose();
      toastSuccess(t(creating ? 'user.form.added' : 'user.form.saved'));
    },
  });
  return (
    <EntityDrawer
      form={form}
      fields={useUserFields(form.before, creating)}
      title={t(creating ? 'user.new' : 'user.form.edit')}
      subtitle={user === null ? t('user.form.new.hint') : `#${user.id} · ${user.username}`}
      submitLabel={t(creating ? 'user.new' : 'common.save')}
      onClose={onClose}
    >
      {user !== null && (
        <>
          <Suspense fallback={null}>
            <BudgetSection kind="user" id={user.id} />
          </Suspense>
          <ResetFactors user={user} />
        </>
      )}
    </EntityDrawer>
  );
}
