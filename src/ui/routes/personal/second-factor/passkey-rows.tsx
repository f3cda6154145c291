/** The account's passkeys: add, name, remove. */

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import type {
  PasskeyEntity,
  SecondFactorOverview,
} from '../../../../core/contract/second-factor.ts';
import { client } from '../../../client/api.ts';
import { toastFailure, toastProblem, toastSuccess } from '../../../client/failures.ts';
import { latePart } from '../../../client/late-part.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import {
  canUsePasskeys,
  createPasskey,
  isKnownAlready,
  wasLeft,
} from '../../../components/second-factor/browser-passkey.ts';
import { dateText } from '../../../hooks/use-time-text.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './second-factor.module.css';

const NameDialog = latePart(async () => ({
  default: (await import('./name-dialog.tsx')).NameDialog,
}));

interface PasskeyRowsProps {
  readonly factors: SecondFactorOverview;
  readonly onChanged: () => Promise<void>;
  readonly onAdded: (recoveryCodes: readonly string[], message: string) => Promise<void>;
}

export function PasskeyRows({ factors, onChanged, onAdded }: PasskeyRowsProps) {
  const { t } = useTranslation();
  /** null: a new one. */
  const [naming, setNaming] = useState<PasskeyEntity | null>();
  const origin = factors.passkey_origin;
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: async (name: string) => {
      const passkey = await createPasskey(await client.secondFactor.beginPasskey());
      return client.secondFactor.addPasskey({ passkey, name });
    },
    onSuccess: ({ recovery_codes }) => onAdded(recovery_codes, t('factor.passkeys.done')),
    onError: (error) => {
      if (isKnownAlready(error)) toastProblem(t('factor.passkeys.known'));
      else if (wasLeft(error)) toastProblem(t('factor.passkeys.left'));
      else toastFailure(error);
    },
  });
  const rename = useMutation({
    mutationFn: (input: { id: number; name: string }) => client.secondFactor.renamePasskey(input),
    onSuccess: onChanged,
  });
  const remove = useMutation({
    mutationFn: ({ id }: { id: number; name: string }) => client.secondFactor.removePasskey({ id }),
    onSuccess: async (_, { name }) => {
      await onChanged();
      toastSuccess(t('factor.passkeys.removed', { name }));
    },
  });
  const nameOf = ({ id, name }: PasskeyEntity) =>
    name || t('factor.passkeys.nameless', { number: id });
  const usable = canUsePasskeys(origin);
  const why = () => {
    if (usable) return t('factor.passkeys.hint');
    if (origin === '') return t('factor.passkeys.impossible');
    return origin === window.location.origin
      ? t('factor.passkeys.unsupported')
      : t('factor.passkeys.elsewhere', { origin });
  };
  const askRemove = (passkey: PasskeyEntity) =>
    confirmDanger({
      title: t('factor.passkeys.remove.title', { name: nameOf(passkey) }),
      text: t('factor.passkeys.remove.text'),
      confirm: t('factor.passkeys.remove.confirm'),
      onConfirm: () => remove.mutate({ id: passkey.id, name: nameOf(passkey) }),
    });
  const facts = (passkey: PasskeyEntity) =>
    [
      passkey.last_used_at === 0
        ? t('factor.passkeys.unused')
        : t('factor.passkeys.used', { date: dateText(passkey.last_used_at) }),
      passkey.backed_up ? t('factor.passkeys.synced') : '',
      origin !== '' && new URL(origin).hostname === passkey.host
        ? ''
        : t('factor.passkeys.host', { host: passkey.host }),
    ].filter((part) => part !== '');
  return (
    <>
      <li className={classes.row}>
        <div>
          <h3>{t('factor.passkeys')}</h3>
          <p>{why()}</p>
        </div>
        <div className={classes.actions}>
          <Button
            variant="default"
            disabled={!usable}
            loading={add.isPending}
            onClick={() => setNaming(null)}
          >
            {t('factor.passkeys.add')}
          </Button>
        </div>
      </li>
      {factors.passkeys.map((passkey) => (
        <li key={passkey.id} className={`${classes.row} ${classes.passkey}`}>
          <div>
            <h3>{nameOf(passkey)}</h3>
            <p>{facts(passkey).join(' · ')}</p>
          </div>
          <div className={classes.actions}>
            <IconButton
              label={t('factor.passkeys.rename', { name: nameOf(passkey) })}
              onClick={() => setNaming(passkey)}
            >
              <Pencil size={16} />
            </IconButton>
            <IconButton
              label={t('factor.passkeys.remove', { name: nameOf(passkey) })}
              onClick={() => askRemove(passkey)}
            >
              <Trash2 size={16} />
            </IconButton>
          </div>
        </li>
      ))}
      <Suspense fallback={null}>
        {naming !== undefined && (
          <NameDialog
            name={naming?.name ?? ''}
            submitLabel={t(naming === null ? 'factor.passkeys.add' : 'factor.passkeys.save')}
            onClose={() => setNaming(undefined)}
            onName={(name) => {
              setNaming(undefined);
              if (naming === null) add.mutate(name);
              else rename.mutate({ id: naming.id, name });
            }}
          />
        )}
      </Suspense>
    </>
  );
}
