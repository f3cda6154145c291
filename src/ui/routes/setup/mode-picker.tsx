/** The three use modes as radio cards. */
import { Building2, CircleUserRound, MonitorPlay } from 'lucide-react';
import { useTranslation } from '../../i18n/index.ts';
import classes from './mode-picker.module.css';

const modes = [
  {
    name: 'external',
    icon: Building2,
    label: 'setup.mode.external',
    hint: 'setup.mode.external.hint',
  },
  { name: 'self', icon: CircleUserRound, label: 'setup.mode.self', hint: 'setup.mode.self.hint' },
  { name: 'demo', icon: MonitorPlay, label: 'setup.mode.demo', hint: 'setup.mode.demo.hint' },
] as const;
export type ModeName = (typeof modes)[number]['name'];

export function ModePicker({
  value,
  onChange,
}: {
  value: ModeName;
  onChange: (mode: ModeName) => void;
}) {
  const { t } = useTranslation();
  return (
    <div className={classes.cards} role="radiogroup" aria-label={t('setup.mode.title')}>
      {modes.map(({ name, icon: Icon, label, hint }) => (
        <label key={name} className={classes.card} data-on={value === name || undefined}>
          <input
            type="radio"
            name="mode"
            value={name}
            checked={value === name}
            onChange={() => onChange(name)}
          />
          <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
          <span className={classes.name}>{t(label)}</span>
          <span className={classes.hint}>{t(hint)}</span>
        </label>
      ))}
    </div>
  );
}
