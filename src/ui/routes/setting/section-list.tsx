import { translate as translateShared } from '../../../core/i18n/translate.ts';
import type { PanelId } from '../../../core/options/index.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import classes from './setting.module.css';
import { useSectionInView } from './use-section-in-view.ts';

/** Links to the sections of the page; the one in view is marked. */
export function SectionList({ panels }: { readonly panels: readonly PanelId[] }) {
  const { t } = useTranslation();
  const current = useSectionInView(panels);
  return (
    <nav className={classes.sections} aria-label={t('setting.sections')}>
      <ul>
        {panels.map((panel) => (
          <li key={panel}>
            <button
              type="button"
              aria-current={panel === current ? 'true' : undefined}
              onClick={() => document.getElementById(panel)?.scrollIntoView({ block: 'start' })}
            >
              {translateShared(currentLanguage(), `panel.${panel}`)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
