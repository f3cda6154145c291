/** The groups that the reader may use: choosing one reprices the list. */
import { useTranslation } from '../../i18n/index.ts';
import classes from './pricing.module.css';
import type { PriceGroup } from './use-prices.ts';

interface GroupSwitchProps {
  readonly groups: readonly PriceGroup[];
  readonly current: string;
  readonly onChoose: (group: PriceGroup) => void;
  /** Visitors have no group of their own. */
  readonly signedIn: boolean;
}

export function GroupSwitch({ groups, current, onChoose, signedIn }: GroupSwitchProps) {
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
