/** A user's own settings, by tab (docs/rules/console.md#personal-screen). */
import { Tabs } from '@mantine/core';
import { PageHeader } from '../../components/page.tsx';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useSelf } from '../../queries/use-self.ts';
import classes from './personal.module.css';
import { PriceSettings } from './price-settings.tsx';

export function PersonalScreen() {
  const { t } = useTranslation();
  const self = useSelf();
  return (
    <>
      <PageHeader title={t('personal.title')} sentence={t('personal.subtitle')} />
      {self.data !== undefined ? (
        <Tabs defaultValue="price" className={classes.tabs ?? ''}>
          <Tabs.List className={classes.list ?? ''}>
            <Tabs.Tab value="price">{t('personal.tab.price')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="price" className={classes.panel ?? ''}>
            <PriceSettings setting={self.data.setting} onSaved={self.refetch} />
          </Tabs.Panel>
        </Tabs>
      ) : self.isError ? (
        <FailedState title={t('personal.failed')} error={self.error} onRetry={() => void self.refetch()} />
      ) : (
        <LoadingRows rows={3} height={64} />
      )}
    </>
  );
}
