import { Check } from 'lucide-react';
import { RoadSign } from '../../components/road-sign.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './setup-sign.module.css';

const steps = [
  ['setup.sign.step1', 'setup.sign.step1.hint'],
  ['setup.sign.step2', 'setup.sign.step2.hint'],
  ['setup.sign.step3', 'setup.sign.step3.hint'],
] as const;

/**
 * Three steps on the sign; those done carry a tick. `name`: what the site is going to be called.
 */
export function SetupSign({ done, name }: { done: readonly boolean[]; name: string }) {
  const { t } = useTranslation();
  return (
    <RoadSign width={440} name={name}>
      <h2 className={classes.title}>{t('setup.sign.title')}</h2>
      <ol className={classes.steps}>
        {steps.map(([label, hint], index) => (
          <li key={label} className={classes.step}>
            <span className={classes.number} data-done={done[index] || undefined}>
              {done[index] ? (
                <Check size={18} strokeWidth={2.5} aria-label={t('setup.sign.done')} />
              ) : (
                index + 1
              )}
            </span>
            <b>{t(label)}</b>
            <span className={classes.hint}>{t(hint)}</span>
          </li>
        ))}
      </ol>
      <p className={classes.place}>{window.location.host}</p>
    </RoadSign>
  );
}
