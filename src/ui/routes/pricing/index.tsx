/** What every model costs, for visitors and users (docs/rules/console.md#pricing-screen). */
import { SegmentedControl } from '@mantine/core';
import { Link } from 'react-router';
import { decimal, one } from '../../../core/kernel/decimal.ts';
import { formatPrice } from '../../../core/pricing/format.ts';
import { pricePerMillion } from '../../../core/pricing/price-per-million.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { pricingPath } from '../../browser/paths.ts';
import { loginPath, useUser } from '../../client/session.ts';
import { ModelLogo } from '../../components/provider-logo.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useRefreshPricing } from '../../queries/use-invalidate.ts';
import classes from './pricing.module.css';
import { isPriceView, priceViews, usePricingColumns } from './pricing-columns.tsx';
import { type PriceGroup, usePrices } from './use-prices.ts';

/** The groups that the reader may use: choosing one reprices the list. */
interface GroupSwitchProps {
  readonly groups: readonly PriceGroup[];
  readonly current: string;
  readonly onChoose: (group: PriceGroup) => void;
  /** Visitors have no group of their own. */
  readonly signedIn: boolean;
}

function GroupSwitch({ groups, current, onChoose, signedIn }: GroupSwitchProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.groups}>
      <legend>{t('pricing.group')}</legend>
      {groups.map((group) => (
        <button
          key={group.name}
          type="button"
          aria-pressed={group.name === current}
          title={group.description}
          onClick={() => onChoose(group)}
        >
          <b>{group.name}</b>
          <span>×{group.ratio}</span>
          {group.own && signedIn && <i>{t('pricing.group.own')}</i>}
        </button>
      ))}
    </fieldset>
  );
}

export function PricingScreen() {
  const { t } = useTranslation();
  const user = useUser();
  const { quotaPerUnit } = useMoney();
  const { list, groups, vendors, group, sorting } = usePrices();
  const refresh = useRefreshPricing();
  const view = isPriceView(list.state.view) ? list.state.view : 'usd';
  const columns = usePricingColumns(view);
  const own = groups.find((entry) => entry.own);
  return (
    <ListScreen
      list={list}
      title={t('pricing.title')}
      subtitle={
        view === 'ratio'
          ? t('pricing.subtitle.ratio', {
              price: formatPrice(pricePerMillion(one, decimal(quotaPerUnit))).text,
            })
          : t('pricing.subtitle')
      }
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('pricing.view')}
          value={view}
          onChange={(next) => list.change({ view: next })}
          data={priceViews.map((value) => ({ value, label: t(`pricing.view.${value}`) }))}
        />
      }
      note={
        <>
          <GroupSwitch
            groups={groups}
            current={group}
            signedIn={user !== null}
            onChoose={({ name }) => list.change({ group: name === own?.name ? '' : name })}
          />
          {user === null && (
            <p className={classes.hint}>
              {t('pricing.visitor')}{' '}
              <Link to={loginPath()} state={{ from: pricingPath }}>
                {t('pricing.visitor.login')}
              </Link>
            </p>
          )}
        </>
      }
      filters={[
        {
          kind: 'search',
          name: 'q',
          label: t('pricing.search'),
          placeholder: t('pricing.search'),
          width: 220,
        },
        {
          kind: 'menu',
          name: 'billing',
          label: t('pricing.column.billing'),
          always: true,
          options: [
            { value: '', label: t('common.all') },
            { value: '0', label: t('pricing.billing.token') },
            { value: '1', label: t('pricing.billing.request') },
          ],
        },
        {
          kind: 'menu',
          name: 'vendor',
          label: t('pricing.column.vendor'),
          always: true,
          options: [
            { value: '', label: t('common.all') },
            ...vendors.map((value) => ({ value, label: value })),
          ],
        },
        { kind: 'switch', name: 'available', label: t('pricing.filter.available') },
      ]}
      onRefresh={refresh}
      nameOf={({ name }) => name}
      columns={columns}
      sorting={sorting}
      columnsKey={storageKeys.pricingColumns}
      rowHeight={42}
      rowState={({ available }) => (available ? undefined : 'dimmed')}
      logo={({ name }) => <ModelLogo model={name} size={22} />}
      texts={{ failed: t('pricing.failed'), noMatch: t('pricing.noMatch') }}
      empty={{ title: t('pricing.empty.title'), text: t('pricing.empty.text') }}
    />
  );
}
