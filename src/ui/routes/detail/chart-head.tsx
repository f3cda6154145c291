/** Title, legend and the switch between chart and table. */
import { Table, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/icon-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import layout from './detail.module.css';
import type { Series } from './series.ts';
import classes from './usage-panel.module.css';

interface ChartHeadProps {
  readonly title: string;
  readonly legend: readonly Pick<Series, 'label' | 'color'>[];
  readonly asTable: boolean;
  readonly onTable: (asTable: boolean) => void;
  /** Further controls. */
  readonly children?: ReactNode;
}

export function ChartHead({ title, legend, asTable, onTable, children }: ChartHeadProps) {
  const { t } = useTranslation();
  return (
    <div className={layout.head}>
      <h2>{title}</h2>
      <ul className={classes.legend}>
        {legend.map(({ label, color }) => (
          <li key={label}>
            <i style={{ background: color }} aria-hidden="true" />
            {label}
          </li>
        ))}
      </ul>
      {children}
      <IconButton
        size={28}
        label={t(asTable ? 'detail.chart.asChart' : 'detail.chart.asTable')}
        aria-pressed={asTable}
        onClick={() => onTable(!asTable)}
      >
        {asTable ? <Table2 size={16} strokeWidth={1.75} /> : <Table size={16} strokeWidth={1.75} />}
      </IconButton>
    </div>
  );
}
