/** Below the settings: what was spent here, and what is left. */
import { CostText, TotalText } from '../../components/money-text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useSelf } from '../../queries/use-self.ts';
import classes from './playground.module.css';

interface FiguresProps {
  /** Absent: only the balance is shown. */
  readonly spent?: { readonly label: string; readonly quota: number };
}

export function Figures({ spent }: FiguresProps) {
  const { t } = useTranslation();
  const { data: self } = useSelf();
  return (
    <dl className={classes.figures}>
      {spent !== undefined && (
        <div>
          <dt>{spent.label}</dt>
          <dd>
            <CostText quota={spent.quota} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('playground.balance')}</dt>
        <dd>{self !== undefined && <TotalText quota={self.quota} />}</dd>
      </div>
    </dl>
  );
}
