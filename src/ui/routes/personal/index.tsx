/**
 * Personal settings: who one is and one's figures on top; models, credentials and devices left;
 * invites and settings right (docs/rules/console.md#personal-screen).
 */

import { Tabs } from '@mantine/core';
import { Suspense } from 'react';
import { latePart } from '../../client/late-part.ts';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { loadTextPart, useTranslation } from '../../i18n/index.ts';
import { useOwnModelsQuery } from '../../queries/use-groups.ts';
import { useSelf } from '../../queries/use-self.ts';
import { AvailableModels } from './available-models.tsx';
import { InviteCard } from './invite-card.tsx';
import { NotificationSettings } from './notifications/notification-settings.tsx';
import { PayerSettings } from './payer-settings.tsx';
import classes from './personal.module.css';
import { PriceSettings } from './price-settings.tsx';
import profile from './profile.module.css';
import { ProfileCard } from './profile-card.tsx';
import { LazySecondFactorPanel } from './second-factor/lazy.tsx';
import { DeleteAccount } from './security/delete-account.tsx';
import { SecurityPanel } from './security/security-panel.tsx';

const Bindings = latePart(async () => {
  const [module] = await Promise.all([
    import('./bindings/index.tsx'),
    loadTextPart('identities'),
    loadTextPart('emailCode'),
  ]);
  return { default: module.Bindings };
});

export function PersonalScreen() {
  const { t } = useTranslation();
  const { data: self, isError, error, refetch } = useSelf();
  const { isPending } = useOwnModelsQuery();
  if (self === undefined && isError)
    return (
      <FailedState title={t('personal.failed')} error={error} onRetry={() => void refetch()} />
    );
  // Drawn at once: what is known later would push down what stands below it.
  const waiting = (
    <div className={profile.page}>
      <LoadingRows rows={16} height={56} />
    </div>
  );
  if (self === undefined || isPending) return waiting;
  return (
    <Suspense fallback={waiting}>
      <div className={profile.page}>
        <ProfileCard self={self} />
        <div className={profile.columns}>
          <div className={profile.main}>
            <AvailableModels />
            <Bindings self={self} />
            <SecurityPanel />
            <LazySecondFactorPanel />
          </div>
          <aside className={profile.side} aria-label={t('personal.side')}>
            <InviteCard self={self} />
            <Tabs defaultValue="notifications" className={classes.tabs ?? ''}>
              <Tabs.List className={classes.list ?? ''}>
                <Tabs.Tab value="notifications">{t('personal.tab.notifications')}</Tabs.Tab>
                <Tabs.Tab value="price">{t('personal.tab.price')}</Tabs.Tab>
                <Tabs.Tab value="payer">{t('personal.tab.payer')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="notifications" className={classes.panel ?? ''}>
                <NotificationSettings self={self} onSaved={refetch} />
              </Tabs.Panel>
              <Tabs.Panel value="price" className={classes.panel ?? ''}>
                <PriceSettings setting={self.setting} onSaved={refetch} />
              </Tabs.Panel>
              <Tabs.Panel value="payer" className={classes.panel ?? ''}>
                <PayerSettings setting={self.setting} onSaved={refetch} />
              </Tabs.Panel>
            </Tabs>
            <div className={classes.foot}>
              <DeleteAccount self={self} />
            </div>
          </aside>
        </div>
      </div>
    </Suspense>
  );
}
