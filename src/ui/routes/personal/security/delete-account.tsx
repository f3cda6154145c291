/** Deletion of the own account, at the end of the screen (docs/rules/accounts.md#deactivation). */

import { UnstyledButton } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { UserEntity } from '../../../../core/contract/entities.ts';
import { findRefusal } from '../../../../core/entities/user-policy.ts';
import { latePart } from '../../../client/late-part.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './security.module.css';

const DeleteDialog = latePart(async () => ({
  default: (await import('./delete-dialog.tsx')).DeleteDialog,
}));

export function DeleteAccount({
  self,
}: {
  readonly self: Pick<UserEntity, 'id' | 'role' | 'username' | 'quota'>;
}) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const isRefused = findRefusal('remove-self', { actor: self }) !== null;
  return (
    <div className={classes.deletion}>
      <span>{t(isRefused ? 'security.delete.root' : 'security.delete.hint')}</span>
      {!isRefused && (
        <UnstyledButton className={classes.danger} onClick={() => setAsking(true)}>
          {t('security.delete')}
        </UnstyledButton>
      )}
      <Suspense fallback={null}>
        {asking && <DeleteDialog self={self} onClose={() => setAsking(false)} />}
      </Suspense>
    </div>
  );
}
