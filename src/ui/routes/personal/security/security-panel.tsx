/** Password, system access token, and where the account is signed in. */

import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound, SquareTerminal } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { client } from '../../../client/api.ts';
import { latePart } from '../../../client/late-part.ts';
import { useUser } from '../../../client/session.ts';
import { confirmDanger } from '../../../components/confirm-danger.tsx';
import { useTranslation } from '../../../i18n/index.ts';
import { queryKeys } from '../../../queries/query-keys.ts';
import { Devices } from './devices.tsx';
import classes from './security.module.css';

const PasswordDialog = latePart(async () => ({
  default: (await import('./password-dialog.tsx')).PasswordDialog,
}));
const SystemTokenTicket = latePart(async () => ({
  default: (await import('./system-token-ticket.tsx')).SystemTokenTicket,
}));

interface NewToken {
  readonly token: string;
  /** It is in the clipboard. */
  readonly copied: boolean;
}

export function SecurityPanel() {
  const { t } = useTranslation();
  const credentials = useQuery({
    queryKey: queryKeys.credentials(useUser()?.id),
    queryFn: () => client.session.credentials(),
  });
  const { has_password: hasPassword = true, has_system_token: hasToken = false } =
    credentials.data ?? {};
  const [changing, setChanging] = useState(false);
  const [made, setMade] = useState<NewToken>();
  const makeToken = useMutation({
    mutationFn: async (): Promise<NewToken> => {
      const token = await client.self.systemToken();
      const copied = await navigator.clipboard.writeText(token).then(
        () => true,
        () => false, // the ticket has a button
      );
      return { token, copied };
    },
    onSuccess: async (token) => {
      setMade(token);
      await credentials.refetch();
    },
  });
  const askForToken = () => {
    if (!hasToken) return makeToken.mutate();
    confirmDanger({
      title: t('security.systemToken.replace'),
      text: t('security.systemToken.replace.text'),
      confirm: t('security.systemToken.renew'),
      onConfirm: () => makeToken.mutate(),
    });
  };
  return (
    <>
      <section aria-labelledby="personal-security" className={classes.section}>
        <div className={classes.head}>
          <h2 id="personal-security">{t('security.title')}</h2>
        </div>
        <ul className={classes.rows}>
          <Credential
            icon={<KeyRound size={16} />}
            name={t('security.password')}
            state={t(hasPassword ? 'security.password.set' : 'security.password.none')}
          >
            <Button variant="default" size="sm" onClick={() => setChanging(true)}>
              {t(hasPassword ? 'security.password.change' : 'security.password.create')}
            </Button>
          </Credential>
          <Credential
            icon={<SquareTerminal size={16} />}
            name={t('security.systemToken')}
            state={t(hasToken ? 'security.systemToken.exists' : 'security.systemToken.hint')}
          >
            <Button variant="default" size="sm" loading={makeToken.isPending} onClick={askForToken}>
              {t(hasToken ? 'security.systemToken.renew' : 'security.systemToken.make')}
            </Button>
          </Credential>
        </ul>
      </section>
      <Devices />
      <Suspense fallback={null}>
        {changing && (
          <PasswordDialog
            hasPassword={hasPassword}
            onChanged={() => credentials.refetch()}
            onClose={() => setChanging(false)}
          />
        )}
        {made !== undefined && <SystemTokenTicket {...made} onClose={() => setMade(undefined)} />}
      </Suspense>
    </>
  );
}

interface CredentialProps {
  readonly icon: ReactNode;
  readonly name: string;
  readonly state: string;
  readonly children: ReactNode;
}

function Credential({ icon, name, state, children }: CredentialProps) {
  return (
    <li className={classes.credential}>
      <span className={classes.icon} aria-hidden="true">
        {icon}
      </span>
      <span className={classes.name}>{name}</span>
      <span className={classes.state}>{state}</span>
      {children}
    </li>
  );
}
